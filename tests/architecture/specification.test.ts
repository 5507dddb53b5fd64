import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { addressOf } from "../support/routes";

/*
 * docs/specification.md names for every address, text and number of the specification where it stands and what proves
 * it. Whoever moves or rewords one changes its row too.
 */
const ROOT = path.resolve(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(path.join(ROOT, file), "utf8");

const testFile = (name: string) => [`tests/${name}.test.ts`, `tests/${name}.test.tsx`].find(exists);
const exists = (file: string) => existsSync(path.join(ROOT, file));
const codeIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? "");

/** Returns the cells of a table's rows, without its heading. */
function rowsOf(title: string): string[][] {
  const section =
    read("docs/specification.md")
      .split(/^## /m)
      .find((part) => part.startsWith(`${title}\n`)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("| "));
  return lines.slice(1).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("\\|", "|")),
  );
}

const PLAIN: Record<string, string> = {
  "’": "'",
  "‘": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "…": "...",
  "&apos;": "'",
};

/** Returns a text with plain quotes and single spaces, as texts are compared here: formatters break lines anywhere. */
const plain = (text: string) =>
  text.replace(/[’‘“”–—…]|&apos;/g, (found) => PLAIN[found] ?? found).replace(/\s+/g, " ");

/** Tells whether a text has all parts of a message in their order; what is in braces differs from case to case. */
function hasMessage(text: string, message: string): boolean {
  let from = 0;
  for (const part of plain(message).split(/\{[^}]*\}/)) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

const lacks = (file: string | undefined, messages: string[]) => {
  const text = file && exists(file) ? plain(read(file)) : "";
  return messages.filter((message) => !hasMessage(text, message));
};

describe("every row of docs/specification.md holds:", () => {
  test("an address has its page, in the module of that name, and a test", () => {
    const rows = rowsOf("Addresses");
    expect(rows.length).toBeGreaterThan(30);
    for (const [address = "", , , module = "", proof = ""] of rows) {
      const [at] = codeIn(address);
      const [file = ""] = codeIn(module);
      const route = file.replace(/^routes\/|\.tsx?$/g, "");
      expect([at, exists(`app/${file}`), codeIn(proof).map(testFile)]).toEqual([at, true, [expect.any(String)]]);
      if (at) expect(addressOf(route)).toBe(at.replace(/\{\w+\}/g, "sample"));
    }
  });

  test("a text stands in its module, and in the test that is named", () => {
    const rows = rowsOf("Messages and labels");
    expect(rows.flatMap(([, texts = ""]) => codeIn(texts)).length).toBeGreaterThan(300);
    const wrong = rows.flatMap(([where, texts = "", module = "", proof = ""]) => {
      const messages = codeIn(texts);
      const [name] = codeIn(proof);
      const missing = lacks(`app/${codeIn(module)[0]}`, messages);
      return [...missing, ...(name ? lacks(testFile(name), messages) : [])].map((message) => `${where}: ${message}`);
    });
    expect(wrong).toEqual([]);
  });

  test("a number stands in its module, and its test exists", () => {
    const rows = rowsOf("Numbers");
    expect(rows.length).toBeGreaterThan(60);
    const wrong = rows.flatMap(([what = "", , code = "", module = "", proof = ""]) => {
      const missing = lacks(`app/${codeIn(module)[0]}`, codeIn(code));
      return missing.length || !codeIn(proof).every(testFile) ? [what] : [];
    });
    expect(wrong).toEqual([]);
  });
});
