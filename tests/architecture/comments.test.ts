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

/** Matches the first word of a docstring and the word after it, on its first line or below it. */
const FIRST_WORDS = /^[ \t]*\/\*\*[ \t]*(?:\n[ \t]*\*[ \t]*)?(?!\*\/)([^\s,;.]*)(?:[ \t]+(\w+))?/gm;

/** Lists words that end as a verb in the third person does, and begin what describes a thing by its name. */
const NO_VERBS = "Address Always As Its This Classes Columns Days Fields Hours Ids Lines Status Values".split(" ");

/** Lists the verbs that may stand before a word that else follows a plural noun, as in "Promises of the month". */
const VERBS_BEFORE: Record<string, string> = {
  between: "",
  for: "Asks Holds Says Stands Waits",
  of: "Says Tells",
  that: "Checks Confirms Counts Expects Logs Records Reports Says Shows Stores Tells",
};

const isVerb = (word: string, next: string) =>
  /^[A-Z][a-z]*s$/.test(word) && !NO_VERBS.includes(word) && (VERBS_BEFORE[next]?.split(" ").includes(word) ?? true);

test("a docstring begins with a verb: Returns, Holds, Names, Tells", () => {
  const others = sources.flatMap(({ file, text }) =>
    [...text.matchAll(FIRST_WORDS)].flatMap(([, word = "", next = ""]) =>
      isVerb(word, next) ? [] : [`${file}: ${word} ${next}`],
    ),
  );
  expect(others).toEqual([]);
});

test("a line of a comment is no longer than a line of code", () => {
  const long = sources.flatMap(({ file, text }) =>
    text.split("\n").flatMap((line, at) => {
      const isLong = line.length > LONGEST && /^\s*(\/\/|\/?\*|\{\/\*)/.test(line);
      return isLong && !line.includes("biome-ignore") ? [`${file}:${at + 1}`] : [];
    }),
  );
  expect(long).toEqual([]);
});
