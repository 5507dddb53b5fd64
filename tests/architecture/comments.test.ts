import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");
const FOLDERS = ["app", "scripts", "tests"];
const LONGEST = 120;

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(tsx?|[cm]?js|css)$/.test(file) && !file.startsWith("generated"))
    .map((file) => ({
      file: `${folder}/${file}`,
      text: readFileSync(path.join(ROOT, folder, file), "utf8"),
    })),
);

test("a line of a comment is no longer than a line of code", () => {
  const long = sources.flatMap(({ file, text }) =>
    text.split("\n").flatMap((line, at) => {
      const isLong = line.length > LONGEST && /^\s*(\/\/|\/?\*|\{\/\*)/.test(line);
      return isLong && !line.includes("biome-ignore") ? [`${file}:${at + 1}`] : [];
    }),
  );
  expect(long).toEqual([]);
});
