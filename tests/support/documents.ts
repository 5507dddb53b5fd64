/* Small files that are what they say, or only pretend to be. */

export const pdf = (body = "%%EOF") => new TextEncoder().encode(`%PDF-1.7\n${body}`);

export const doc = () => new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0, 0]);

export type ZipEntry = { name: string; content?: string; unpackedSize?: number; encrypted?: boolean };

/**
 * Builds an uncompressed ZIP archive with a central directory, byte for byte as APPNOTE describes it (checksums are 0).
 */
export function zip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const local: number[] = [];
  const directory: number[] = [];
  const two = (value: number) => [value & 255, (value >> 8) & 255];
  const four = (value: number) => [...two(value & 0xffff), ...two(Math.floor(value / 65536))];
  for (const { name, content = "x", unpackedSize, encrypted } of entries) {
    const nameBytes = encoder.encode(name);
    const body = encoder.encode(content);
    const flags = two(encrypted ? 1 : 0);
    const sizes = [...four(0), ...four(body.length), ...four(unpackedSize ?? body.length)];
    const offset = local.length;
    local.push(0x50, 0x4b, 3, 4, ...two(20), ...flags, ...two(0), ...four(0), ...sizes);
    local.push(...two(nameBytes.length), ...two(0), ...nameBytes, ...body);
    directory.push(0x50, 0x4b, 1, 2, ...two(20), ...two(20), ...flags, ...two(0), ...four(0), ...sizes);
    directory.push(...two(nameBytes.length), ...two(0), ...two(0), ...two(0), ...two(0), ...four(0), ...four(offset));
    directory.push(...nameBytes);
  }
  const count = two(entries.length);
  const end = [
    0x50,
    0x4b,
    5,
    6,
    0,
    0,
    0,
    0,
    ...count,
    ...count,
    ...four(directory.length),
    ...four(local.length),
    0,
    0,
  ];
  return new Uint8Array([...local, ...directory, ...end]);
}

export const docx = (extra: readonly ZipEntry[] = []) =>
  zip([{ name: "[Content_Types].xml" }, { name: "word/document.xml" }, ...extra]);
