/** Holds the objects of a PDF file in the order of their numbers, from 1: see PDF 32000-1, 7.3 and 7.5. */
export type FileObjects = { parts: Uint8Array[]; offsets: number[]; length: number };

const encoder = new TextEncoder();

/** Marks the file as binary, as its header should. */
const HEADER = new Uint8Array([...encoder.encode("%PDF-1.7\n%"), 0xe2, 0xe3, 0xcf, 0xd3, 0x0a]);

/** Returns a file that has its header only. */
export const beginFile = (): FileObjects => ({ parts: [HEADER], offsets: [], length: HEADER.length });

function append(file: FileObjects, part: string | Uint8Array): void {
  const bytes = typeof part === "string" ? encoder.encode(part) : part;
  file.parts.push(bytes);
  file.length += bytes.length;
}

/** Adds an object, and returns how others refer to it. `number`: one that was kept for it. */
export function addObject(file: FileObjects, body: string, number = reserve(file)): string {
  file.offsets[number - 1] = file.length;
  append(file, `${number} 0 obj\n${body}\nendobj\n`);
  return `${number} 0 R`;
}

/** Adds a stream of deflated bytes. `entries`: what its dictionary has besides. */
export function addStream(file: FileObjects, deflated: Uint8Array, entries = ""): string {
  const number = reserve(file);
  file.offsets[number - 1] = file.length;
  append(file, `${number} 0 obj\n<< /Filter /FlateDecode /Length ${deflated.length} ${entries} >>\nstream\n`);
  append(file, deflated);
  append(file, "\nendstream\nendobj\n");
  return `${number} 0 R`;
}

/** Keeps a number for an object that is added later, because others refer to it before. */
export function reserve(file: FileObjects): number {
  file.offsets.push(0);
  return file.offsets.length;
}

/** Ends the file with the table of where its objects are. */
export function endFile(file: FileObjects, { root, info }: { root: string; info: string }): Uint8Array {
  const start = file.length;
  const count = file.offsets.length + 1;
  const entries = file.offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  append(file, `xref\n0 ${count}\n0000000000 65535 f \n${entries}`);
  append(file, `trailer\n<< /Size ${count} /Root ${root} /Info ${info} >>\nstartxref\n${start}\n%%EOF\n`);
  const bytes = new Uint8Array(file.length);
  let at = 0;
  for (const part of file.parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Writes a text of any script as a value, in UTF-16. */
export function textValue(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index).toString(16).padStart(4, "0"));
  return `<feff${units.join("")}>`;
}

/** Writes an instant as a value. */
export const dateValue = (at: number): string => `(D:${new Date(at).toISOString().replace(/\D/g, "").slice(0, 14)}Z)`;

/** Compresses a text, or bytes, as streams are. */
export async function deflated(content: string | Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
