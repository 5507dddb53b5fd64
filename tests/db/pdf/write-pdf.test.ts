import { decodePDFRawStream, PDFDocument, PDFName, PDFRawStream } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import type { LogoImage } from "~/content/brand";
import { linesOf, widthOf, writable } from "~/features/pdf/flow.server";
import { logoPicture, readPicture } from "~/features/pdf/logo-picture.server";
import type { PdfBlock, PdfDocument } from "~/features/pdf/model";
import { writePdf } from "~/features/pdf/write-pdf.server";
import { keyOfPicture, pictureImage } from "~/features/settings/model";
import { hashOfBytes } from "~/platform/crypto.server";
import { testContext } from "../../support/context";
import { pdfText } from "../../support/pdf-text";
import { pngFile } from "../../support/png-file";

const documentOf = (blocks: readonly PdfBlock[]): PdfDocument => ({
  title: "Summary report",
  sender: { name: "Wrenfield", color: "", lines: ["100 Example Street"] },
  headerLines: ["November 2026"],
  blocks,
  createdAt: Date.UTC(2026, 10, 30),
});

const write = async (...blocks: PdfBlock[]) => pdfText((await writePdf(documentOf(blocks))).bytes);

const SMALL = { size: 9, weight: "regular" } as const;

test.each([
  ["letters and signs of Latin languages stay", "ğ Ł € ₹ ½ “Ünïcode” — …", "ğ Ł € ₹ ½ “Ünïcode” — …"],
  ["a letter and its mark are joined", "e\u0301", "é"],
  ["a letter without its mark is better than a sign", "Nguyễn", "Nguyen"],
  ["each other character is one sign", "漢字 😀 👨‍👩‍👧", "?? ? ?"],
  ["what nobody sees leaves nothing", "a\u0000\u200b\u202eb", "ab"],
  ["tabs become spaces, and line breaks stay", "a\tb\r\nc", "a b\nc"],
  ["half a character does not stop the file", "x\ud83dy", "x?y"],
])("of what the font does not have, %s", (_, text, written) => {
  expect(writable(text)).toBe(written);
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
  const document = documentOf([]);
  const write = (hasLogo: boolean) => writePdf({ ...document, sender: { ...document.sender, hasLogo } });
  const [own, plain] = [await write(true), await write(false)];
  expect((await pdfText(own.bytes))[0]).toContain("Wrenfield");
  expect(own.bytes.length).toBeLessThan(plain.bytes.length);
});

const ROOM = { width: 100, height: 100 };

const RED = [200, 0, 0] as const;
const BLACK = [0, 0, 0] as const;
const WHITE = [255, 255, 255] as const;

/** Returns the pixels of greys. */
const greys = (...values: number[]) => values.map((grey) => [grey, grey, grey]);

const PALETTE = { depth: 2, colorType: 3, palette: [...RED, ...BLACK], transparency: [255, 0] };

test.each<[string, Parameters<typeof pngFile>[0], readonly (readonly number[])[]]>([
  ["greys", { width: 2, height: 1, rows: [[0, 7, 250]] }, greys(7, 250)],
  ["colours", { width: 2, height: 1, colorType: 2, rows: [[0, ...RED, 1, 2, 3]] }, [RED, [1, 2, 3]]],
  ["colours of 16 bits", { width: 1, height: 1, depth: 16, colorType: 2, rows: [[0, 200, 9, 0, 9, 0, 9]] }, [RED]],
  ["a palette, half transparent", { width: 3, height: 1, ...PALETTE, rows: [[0, 0b00_01_00_00]] }, [RED, WHITE, RED]],
  ["ink of one bit", { width: 3, height: 1, depth: 1, rows: [[0, 0b010_00000]] }, [BLACK, WHITE, BLACK]],
  ["greys with alpha", { width: 2, height: 1, colorType: 4, rows: [[0, 55, 255, 55, 0]] }, [[55, 55, 55], WHITE]],
  [
    "colours with alpha, half of it on white",
    { width: 2, height: 1, colorType: 6, rows: [[0, ...RED, 255, ...RED, 51]] },
    [RED, [244, 204, 204]],
  ],
  [
    "one colour that is transparent",
    { width: 2, height: 1, colorType: 2, transparency: [0, 200, 0, 0, 0, 0], rows: [[0, ...RED, 200, 0, 1]] },
    [WHITE, [200, 0, 1]],
  ],
  [
    "rows by each filter",
    {
      width: 2,
      height: 5,
      rows: [
        [0, 10, 20],
        [1, 10, 10],
        [2, 5, 5],
        [3, 1, 2],
        [4, 1, 1],
      ],
    },
    greys(10, 20, 10, 20, 15, 25, 8, 18, 9, 19),
  ],
  [
    "an interlaced picture",
    {
      width: 3,
      height: 2,
      isInterlaced: true,
      rows: [
        [0, 1],
        [0, 3],
        [0, 2],
        [0, 4, 5, 6],
      ],
    },
    greys(1, 2, 3, 4, 5, 6),
  ],
])("the colours of a picture are those of its file: %s", (_, input, pixels) => {
  expect([...readPicture(pngFile(input), ROOM).rgb]).toEqual(pixels.flat());
});

test("a large picture becomes a small one, whose pixels are means, with the same sides to each other", () => {
  const rows = Array.from({ length: 400 }, (_, y) => [
    0,
    ...Array.from({ length: 800 }, (_, x) => (x < 400 ? ((y >> 2) % 2) * 100 : 60)),
  ]);
  const { width, height, rgb } = readPicture(pngFile({ width: 800, height: 400, rows }), ROOM);
  expect([width, height, rgb.length]).toEqual([100, 50, 100 * 50 * 3]);
  expect([rgb[0], rgb.at(-1)]).toEqual([50, 60]);
});

/** Returns a black picture of one pixel with empty chunks before its own, and three others. */
function inChunks(empty: number): Buffer<ArrayBuffer> {
  const file = pngFile({ width: 1, height: 1 });
  const [head, rest] = [file.subarray(0, 33), file.subarray(33)];
  const chunk = Buffer.from("000000004944415400000000", "hex");
  return Buffer.concat([head, ...Array.from({ length: empty }, () => chunk), rest]);
}

test("a picture may come in thousands of chunks", () => {
  expect([...readPicture(inChunks(4_093), ROOM).rgb]).toEqual([0, 0, 0]);
});

test.each([
  ["text", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
  ["half a picture", pngFile({ width: 40, height: 40 }).subarray(0, 60)],
  ["fewer pixels than it says", pngFile({ width: 40, height: 40, rows: [[0, 1, 2]] })],
  ["more pixels than it says", pngFile({ width: 1, height: 1, rows: [[0, 1, 2, 3]] })],
  ["none", pngFile({ width: 0, height: 40, rows: [] })],
  ["more than are read", pngFile({ width: 2_001, height: 2_000, rows: [] })],
  ["more chunks than are read", inChunks(4_094)],
  ["an unknown filter", pngFile({ width: 1, height: 1, rows: [[9, 1]] })],
])("a file with %s is no picture", (_, file) => {
  expect(() => readPicture(file, ROOM)).toThrow();
});

/** Stores a file as the logo, and returns it as pages know it. */
async function storedLogo(bytes: Uint8Array, kind: "png" | "webp", [width, height] = [90, 90]): Promise<LogoImage> {
  const logo = { hash: hashOfBytes(bytes), kind, width, height } as const;
  await testContext().files.put(keyOfPicture("logo", logo), bytes);
  return pictureImage("logo", logo);
}

/** Writes a file of a sender with this logo. Returns the lines of its first page, and the pictures in it. */
async function headWith(logo: LogoImage | null, files = testContext().files) {
  const picture = await logoPicture({ ...testContext(), files }, logo);
  const document = documentOf([]);
  const sender = { ...document.sender, name: "Larkspur IT", hasLogo: logo !== null, picture };
  const { bytes } = await writePdf({ ...document, sender });
  const objects = (await PDFDocument.load(bytes)).context.enumerateIndirectObjects();
  const pictures = objects.flatMap(([, object]) =>
    object instanceof PDFRawStream && object.dict.get(PDFName.of("Subtype")) === PDFName.of("Image")
      ? [[...decodePDFRawStream(object).decode()]]
      : [],
  );
  return { lines: (await pdfText(bytes))[0] ?? [], pictures };
}

describe("in the head of a file", () => {
  test("a logo stands beside the name, and a wide one, which says it, alone", async () => {
    const square = pngFile({ width: 90, height: 90 });
    const beside = await headWith(await storedLogo(square, "png"));
    expect(beside.pictures).toEqual([Array(90 * 90 * 3).fill(0)]);
    expect(beside.lines).toEqual(expect.arrayContaining(["Larkspur IT", "100 Example Street"]));
    const wide = await headWith(await storedLogo(pngFile({ width: 90, height: 30 }), "png", [90, 30]));
    expect(wide.pictures).toHaveLength(1);
    expect(wide.lines).not.toContain("Larkspur IT");
    expect(wide.lines).toContain("100 Example Street");
  });

  test.each([
    ["a WebP picture", "webp", pngFile({ width: 90, height: 90 })],
    ["a picture with damaged pixels", "png", pngFile({ width: 90, height: 90, rows: [[0]] })],
  ] as const)("%s leaves the name alone", async (_, kind, bytes) => {
    const { lines, pictures } = await headWith(await storedLogo(bytes, kind));
    expect([lines[0], pictures]).toEqual(["Larkspur IT", []]);
  });

  test("a logo whose file is gone, or whose store does not respond, leaves the name alone until it is there", async () => {
    const bytes = pngFile({ width: 91, height: 90 });
    const logo = pictureImage("logo", { hash: hashOfBytes(bytes), kind: "png", width: 91, height: 90 });
    const { files } = testContext();
    const failing = { ...files, get: () => Promise.reject(new Error("R2 is down")) };
    for (const store of [files, failing]) expect((await headWith(logo, store)).lines[0]).toBe("Larkspur IT");
    await storedLogo(bytes, "png", [91, 90]);
    expect((await headWith(logo)).pictures).toHaveLength(1);
  });
});
