import { describe, expect, test } from "vitest";
import { linesOf, widthOf, writable } from "~/features/pdf/flow.server";
import type { PdfBlock, PdfDocument } from "~/features/pdf/model";
import { writePdf } from "~/features/pdf/write-pdf.server";
import { pdfText } from "../../support/pdf-text";

const documentOf = (blocks: readonly PdfBlock[]): PdfDocument => ({
  title: "Summary report",
  sender: { name: "Wrenfield", color: "", lines: ["100 Example Street"] },
  facts: ["November 2026"],
  blocks,
  createdAt: Date.UTC(2026, 10, 30),
});

const write = async (...blocks: PdfBlock[]) => pdfText((await writePdf(documentOf(blocks))).bytes);

const SMALL = { size: 9, weight: "regular" } as const;

describe("what the font does not have", () => {
  test.each([
    ["letters and signs of Latin languages stay", "ğ Ł € ₹ ½ “Ünïcode” — …", "ğ Ł € ₹ ½ “Ünïcode” — …"],
    ["a letter and its mark are joined", "e\u0301", "é"],
    ["a letter without its mark is better than a sign", "Nguyễn", "Nguyen"],
    ["each other character is one sign", "漢字 😀 👨‍👩‍👧", "?? ? ?"],
    ["what nobody sees leaves nothing", "a\u0000\u200b\u202eb", "ab"],
    ["tabs become spaces, and line breaks stay", "a\tb\r\nc", "a b\nc"],
    ["half a character does not stop the file", "x\ud83dy", "x?y"],
  ])("%s", (_, text, written) => {
    expect(writable(text)).toBe(written);
  });
});

test("no line is wider than its column, whatever is written, and nothing is lost", () => {
  const text = `${"W".repeat(200)} a ${"i".repeat(300)} end`;
  for (const width of [40, 120, 400]) {
    const lines = linesOf(text, width, SMALL);
    expect(Math.max(...lines.map((line) => widthOf(line, SMALL.size, SMALL.weight)))).toBeLessThanOrEqual(width);
    expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
  }
});

test("a table over several pages repeats its head on each, keeps every row once, and pages are numbered", async () => {
  const rows = Array.from({ length: 120 }, (_, index) => [`Row ${index}.`, String(index)]);
  const columns = [
    { label: "Name", share: 3 },
    { label: "Number", share: 1, isNumber: true },
  ];
  const pages = await write({ kind: "table", columns, rows });
  expect(pages.length).toBeGreaterThan(2);
  for (const [index, lines] of pages.entries()) {
    expect(lines.filter((line) => line === "Name")).toHaveLength(1);
    expect(lines).toContain(`Page ${index + 1} of ${pages.length}`);
  }
  expect(pages.flat().filter((line) => line.startsWith("Row "))).toEqual(rows.map(([name]) => name));
});

test("two columns that do not fit on a page follow each other, and a row longer than a page goes on", async () => {
  const long = "word ".repeat(2_500).trim();
  const pages = await write(
    { kind: "sides", left: [{ kind: "text", text: long }], right: [{ kind: "heading", text: "The right side" }] },
    { kind: "table", columns: [{ label: "Text", share: 1 }], rows: [[long]] },
  );
  const words = pages.flat().join(" ").match(/word/g);
  expect(words).toHaveLength(5_000);
  expect(pages.at(0)).not.toContain("The right side");
  expect(pages.flat()).toContain("The right side");
});

test("a table without rows says so", async () => {
  const pages = await write({ kind: "table", columns: [{ label: "Name", share: 1 }], rows: [], none: "Nothing." });
  expect(pages[0]).toContain("Nothing.");
});

test("a sender with a logo of its own gets its name alone, without the default mark", async () => {
  const [own, plain] = await Promise.all(
    [true, false].map((hasLogo) => {
      const document = documentOf([]);
      return writePdf({ ...document, sender: { ...document.sender, hasLogo } });
    }),
  );
  expect((await pdfText(own?.bytes ?? new Uint8Array()))[0]).toContain("Wrenfield");
  expect(own?.bytes.length).toBeLessThan(plain?.bytes.length ?? 0);
});
