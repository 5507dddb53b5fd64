import { crc32, inflateRawSync } from "node:zlib";
import { expect } from "vitest";

/** Reads the files of an archive by its directory, and checks their sums. */
export function unzip(bytes: Uint8Array): Map<string, string> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - 22;
  expect(view.getUint32(end, true)).toBe(0x06054b50);
  const files = new Map<string, string>();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    expect(view.getUint32(at, true)).toBe(0x02014b50);
    const nameLength = view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    const start = view.getUint32(at + 42, true) + 30 + nameLength;
    const content = inflateRawSync(bytes.subarray(start, start + view.getUint32(at + 20, true)));
    expect(content.length, name).toBe(view.getUint32(at + 24, true));
    expect(crc32(content), name).toBe(view.getUint32(at + 16, true));
    expect(files.has(name), name).toBe(false);
    files.set(name, new TextDecoder().decode(content));
    at += 46 + nameLength;
  }
  return files;
}
