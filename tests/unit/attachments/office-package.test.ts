import { expect, test } from "vitest";
import { inspectDocument } from "~/features/attachments/inspect-file.server";
import { fail, ok } from "~/lib/result";
import { contentTypes, docx, docxParts, relationships, type ZipEntry, zip } from "../../support/documents";

const inspected = (bytes: Uint8Array) => inspectDocument("plan.docx", bytes);

const VBA = "application/vnd.ms-office.vbaProject";
const VBA_RELATION = "http://schemas.microsoft.com/office/2006/relationships/vbaProject";
const MACRO_MAIN = "application/vnd.ms-word.document.macroEnabled.main+xml";

const types = (content: string | Uint8Array): ZipEntry => ({ name: "[Content_Types].xml", content, deflated: true });
const override = (type: string) => `<Override PartName="/word/settings2.bin" ContentType="${type}"/>`;
const part: ZipEntry = { name: "word/settings2.bin" };
const related = (type: string): ZipEntry => ({
  name: "word/_rels/document.xml.rels",
  content: relationships(type, "settings2.bin"),
});

/** Writes text in two bytes a character, with the mark that says so. */
function utf16(text: string, { mark }: { mark: boolean }): Uint8Array {
  const units = [...(mark ? "\ufeff" : ""), ...text].map((letter) => letter.charCodeAt(0));
  return new Uint8Array(units.flatMap((unit) => [unit & 255, unit >> 8]));
}

test.each([
  ["declared by content type", [types(contentTypes(override(VBA))), part]],
  ["declared for every .bin", [types(contentTypes(`<Default Extension="bin" ContentType="${VBA}"/>`)), part]],
  ["declared in other letters", [types(contentTypes(override(VBA.toUpperCase()))), part]],
  ["declared in single quotes", [types(contentTypes(`<Override ContentType = '${VBA}' PartName='/a'/>`)), part]],
  ["declared in references", [types(contentTypes(override(VBA.replace("vba", "&#x00076;&#98;a")))), part]],
  ["declared in two bytes a letter", [types(utf16(contentTypes(override(VBA)), { mark: true })), part]],
  ["declared in two bytes a letter, unmarked", [types(utf16(contentTypes(override(VBA)), { mark: false })), part]],
  [
    "declared by an entity of a document type",
    [types(contentTypes(override("&macro;")).replace("<Types", `<!DOCTYPE t [<!ENTITY macro "${VBA}">]><Types`)), part],
  ],
  ["declared in another encoding", [types(contentTypes(override("+AHY-baProject")).replace("UTF-8", "UTF-7")), part]],
  ["reached by a relationship", [related(VBA_RELATION), part]],
  [
    "reached from a part of another folder",
    [{ name: "x/_RELS/y.xml.RELS", content: relationships(VBA_RELATION) }, part],
  ],
  ["named as the main document", [types(contentTypes("", MACRO_MAIN))]],
  ["as data of macros", [types(contentTypes(override("application/vnd.ms-word.vbaData+xml"))), part]],
] satisfies [string, ZipEntry[]][])("a part with macros under another name, %s, is rejected", (_, changed) => {
  expect(inspected(docx(changed))).toEqual(fail("file_rejected"));
});

test("a document whose relationships and content types only mention macros in a target is taken", () => {
  const link = relationships("http://example.org/relationships/hyperlink", "https://learn.example/vbaProject");
  expect(inspected(docx([{ name: "word/_rels/document.xml.rels", content: link }]))).toEqual(ok("docx"));
});

test.each([
  ["counts fewer entries than its directory has", docx([part], { declared: 4 })],
  ["counts more entries than its directory has", docx([part], { declared: 6 })],
  ["holds an entry that its directory leaves out", docx([{ ...part, isHidden: true }])],
  ["leaves the first entry out", zip([{ ...part, isHidden: true }, ...docxParts()])],
  ["calls an entry differently in its two headers", docx([{ name: "word/a.xml", localName: "word/vbaProject.bin" }])],
  ["has two lists of content types", docx([{ name: "[content_types].XML", content: contentTypes(override(VBA)) }])],
  ["has content types of another size than declared", docx([{ ...types(contentTypes()), unpackedSize: 100_000 }])],
  ["ends in something else", new Uint8Array([...docx(), 0])],
  [
    "has a second archive in its comment",
    (() => {
      const outer = docx([part]);
      const inner = docx();
      outer.set([inner.length & 255, inner.length >> 8], outer.length - 2);
      return new Uint8Array([...outer, ...inner]);
    })(),
  ],
])("an archive that %s is rejected", (_, bytes) => {
  expect(inspected(bytes)).toEqual(fail("file_rejected"));
});

test("content types that unpack to megabytes are rejected before they are unpacked", () => {
  const bomb = contentTypes(" ".repeat(5 * 1024 * 1024));
  expect(inspected(docx([types(bomb)]))).toEqual(fail("file_rejected"));
});
