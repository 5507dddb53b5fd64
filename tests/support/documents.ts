/* Small files that begin like what they say. */

export const pdf = (body = "%%EOF") => new TextEncoder().encode(`%PDF-1.7\n${body}`);

export const doc = () => new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0, 0, 0]);

/** Returns the beginning of a document, a workbook or a presentation, which are ZIP archives. */
export const docx = () => new TextEncoder().encode("PK\x03\x04 and so on");
