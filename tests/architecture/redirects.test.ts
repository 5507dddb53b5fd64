import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const APP = path.resolve(import.meta.dirname, "../../app");

/** Makes the `Location` of every redirect: only characters that may stand in a header. */
const HELPER = "platform/responses.server.ts";

const sources = readdirSync(APP, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && file !== HELPER)
  .map((file) => ({ file, text: readFileSync(path.join(APP, file), "utf8") }));

const filesWith = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test("the helper is where this test looks for it", () => {
  expect(readFileSync(path.join(APP, HELPER), "utf8")).toMatch(/redirectDocument : redirect\)\(locationOf\(/);
  expect(filesWith(/\bredirectWithin\(/).length).toBeGreaterThan(3);
});

test("no other file redirects by itself", () => {
  expect(filesWith(/\bimport [^;]*\bredirect(Document)?\b[^;]* from "@remix-run\//)).toEqual([]);
  expect(filesWith(/\bResponse\.redirect\(/)).toEqual([]);
});

test("no other file makes a Location, except of an address that was made safe", () => {
  expect(filesWith(/\bLocation["']?(?::|["'],)(?! locationOf\()/)).toEqual([]);
});

test("ids in addresses are read by the function that checks them", () => {
  const unchecked = sources
    .filter(({ file }) => file.startsWith("routes/"))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\bparams\.(\w+Id)\b/g)].flatMap(([, name = ""]) =>
        new RegExp(`(idParam\\("\\w+", |serviceOf\\()params\\.${name}\\b`).test(text) ? [] : [`${file} ${name}`],
      ),
    );
  expect(unchecked).toEqual([]);
});
