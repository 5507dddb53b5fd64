import { expect, test } from "vitest";
import { CONTACT_FILES, safeFileName, TICKET_FILES } from "~/features/attachments/model";
import { inspectFile, inspectionOf } from "~/features/attachments/store-attachment.server";
import { fail, ok } from "~/lib/errors";
import { doc, docx, pdf } from "../../support/documents";

const inspectDocument = (name: string, bytes: Uint8Array) => inspectFile(name, bytes, CONTACT_FILES);
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
  ["a file over the limit", "plan.pdf", new Uint8Array(CONTACT_FILES.maxSize + 1)],
  ["a Word document cut short within its first bytes", "a.docx", docx().subarray(0, 3)],
  ["an archive that calls itself an old Word document", "a.doc", docx()],
] as const)("%s is rejected", (_, name, bytes) => {
  expect(inspectDocument(name, bytes)).toEqual(fail("file_rejected"));
});

test("a name keeps nothing that could fool a person or a file system", () => {
  expect(safeFileName("../../etc/passwd.pdf")).toBe("passwd.pdf");
  expect(safeFileName("C:\\temp\\plan.docx")).toBe("plan.docx");
  expect(safeFileName("plan\u202Efdp.exe\u0000.pdf")).toBe("planfdp.exe.pdf");
  expect(safeFileName(`${"a".repeat(300)}.docx`)).toHaveLength(120);
  expect(safeFileName(`${"a".repeat(300)}.docx`)).toMatch(/\.docx$/);
});

test.each([
  ["that hides macros", "word/vbaProject.bin"],
  ["with names that climb", "../../etc/passwd"],
  ["that unpacks to a thousand times its size", "\0".repeat(64)],
])("a Word document %s is taken like any other: it is never opened here", (_, entry) => {
  expect(inspectDocument("plan.docx", text(`PK\x03\x04${entry}`))).toEqual(ok("docx"));
});

const ticketFile = (name: string, bytes: Uint8Array) => inspectFile(name, bytes, TICKET_FILES);
const bytes = (...values: number[]) => new Uint8Array(values);
const webp = text("RIFF....WEBPVP8 ");

test.each([
  ["sheet.xlsx", docx(), "xlsx"],
  ["talk.pptx", docx(), "pptx"],
  ["old.xls", doc(), "xls"],
  ["events.log", text("12:00 Fehler: Gerät antwortet nicht\n"), "log"],
  ["rows.CSV", text("a;b\n1;2"), "csv"],
  ["shot.png", bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), "png"],
  ["photo.jpeg", bytes(0xff, 0xd8, 0xff, 0xe0), "jpg"],
  ["moving.gif", text("GIF89a"), "gif"],
  ["small.webp", webp, "webp"],
])("a ticket takes %s by its bytes", (name, content, kind) => {
  expect(ticketFile(name, content)).toEqual(ok(kind));
});

test.each([
  ["a drawing that could run scripts", "logo.svg", text("<svg/>")],
  ["a web page that calls itself an image", "shot.png", text("<!doctype html><script>alert(1)</script>")],
  ["a sound that begins like an image", "shot.webp", text("RIFF....WAVEfmt ")],
  ["a program that calls itself text", "notes.txt", bytes(0x4d, 0x5a, 0, 0)],
  ["text that is not UTF-8", "notes.txt", bytes(0xff, 0xfe, 0x41)],
  ["a PDF that calls itself a workbook", "sheet.xlsx", pdf()],
  ["a web page", "page.html", text("<p>")],
  ["a document that says it has macros", "plan.docm", docx()],
  ["a workbook that says it has macros", "plan.xlsm", docx()],
  ["an archive", "files.zip", docx()],
  ["a file of the right kind that is too large", "a.txt", new Uint8Array(TICKET_FILES.maxSize + 1).fill(97)],
])("a ticket does not take %s", (_, name, content) => {
  expect(ticketFile(name, content)).toEqual(fail("file_rejected"));
});

test.each([
  ["shot.png", bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), true],
  ["small.webp", webp, true],
  ["tiny.pdf", text("%PDF-"), true],
  ["notes.txt", text("Gerät: 12 €"), true],
  ["notes.txt", text("Gerät: 12 €").subarray(0, -1), false],
  ["notes.log", bytes(97, 98, 0), false],
  ["plan.pdf", text("<!doctype html>"), false],
])("%s is judged the same when it arrives byte by byte: %#", (name, content, isAccepted) => {
  const inspection = inspectionOf(name, TICKET_FILES.kinds);
  const accepted = [...content].every((byte) => inspection?.accepts(bytes(byte)));
  expect(accepted && inspection?.acceptsEnd()).toBe(isAccepted);
});
