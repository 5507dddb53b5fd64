import { expect, test } from "vitest";
import { inspectDocument } from "~/features/attachments/inspect-document.server";
import { CONTACT_FILE_MAX_BYTES, safeFileName } from "~/features/attachments/model";
import { fail, ok } from "~/lib/result";
import { doc, docx, pdf, zip } from "../../support/documents";

const text = (content: string) => new TextEncoder().encode(content);

test("the three kinds of document are recognized by their bytes", () => {
  expect(inspectDocument("plan.PDF", pdf())).toEqual(ok("pdf"));
  expect(inspectDocument("old.doc", doc())).toEqual(ok("doc"));
  expect(inspectDocument("new.docx", docx())).toEqual(ok("docx"));
});

test.each([
  ["a web page that calls itself a PDF", "invoice.pdf", text("<!doctype html><script>alert(1)</script>")],
  ["a PDF with something in front of it", "poly.pdf", text(" %PDF-1.7")],
  ["a program with two extensions", "plan.pdf.exe", pdf()],
  ["a Word document under another extension", "plan.pdf", docx()],
  ["a file without an extension", "plan", pdf()],
  ["an empty file", "plan.pdf", new Uint8Array()],
  ["a file over the limit", "plan.pdf", new Uint8Array(CONTACT_FILE_MAX_BYTES + 1)],
  ["an archive that is no Word document", "a.docx", zip([{ name: "readme.txt" }])],
  ["a document with macros", "a.docx", docx([{ name: "word/vbaProject.bin" }])],
  ["an encrypted document", "a.docx", docx([{ name: "word/secret.xml", encrypted: true }])],
  ["a document that unpacks to gigabytes", "a.docx", docx([{ name: "word/bomb.xml", unpackedSize: 3_000_000_000 }])],
  ["a document that climbs out of its folder", "a.docx", docx([{ name: "word/../../etc/passwd" }])],
  ["an archive cut short", "a.docx", docx().subarray(0, 60)],
  [
    "an archive whose directory lies",
    "a.docx",
    docx().map((byte, place, all) => (place === all.length - 6 ? 255 : byte)),
  ],
] as const)("%s is refused", (_, name, bytes) => {
  expect(inspectDocument(name, bytes)).toEqual(fail("file_rejected"));
});

test("an archive of thousands of entries is refused without reading them", () => {
  const many = zip(Array.from({ length: 2_001 }, (_, place) => ({ name: `word/${place}.xml` })));
  expect(inspectDocument("many.docx", many)).toEqual(fail("file_rejected"));
});

test("a name keeps nothing that could fool a person or a file system", () => {
  expect(safeFileName("../../etc/passwd.pdf")).toBe("passwd.pdf");
  expect(safeFileName("C:\\temp\\plan.docx")).toBe("plan.docx");
  expect(safeFileName("plan\u202Efdp.exe\u0000.pdf")).toBe("planfdp.exe.pdf");
  expect(safeFileName(`${"a".repeat(300)}.docx`)).toHaveLength(120);
  expect(safeFileName(`${"a".repeat(300)}.docx`)).toMatch(/\.docx$/);
});
