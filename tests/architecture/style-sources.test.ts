import { globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { withImports } from "../support/own-modules";

const APP = path.resolve(import.meta.dirname, "../../app");
const STYLES = path.join(APP, "styles");

/**
 * Lists the two style sheets, and the routes whose pages use them. Personal pages use that of the frame around them;
 * only `_account.tsx` knows all frames.
 */
const SHEETS = [
  { sheet: "site.css", routes: "routes/{_site,_auth,_account}*.tsx", without: /ui\/(admin|portal)-layout\.tsx$/ },
  { sheet: "admin.css", routes: "routes/{_admin,_portal,_account.,dev.}*.tsx", without: /^$/ },
];

const fromApp = (file: string) => path.relative(APP, file);

/** Returns the files in which a style sheet looks for utilities, including those of the style sheets it imports. */
function sourcesOf(sheet: string): Set<string> {
  const read = (not: string) => {
    const pattern = new RegExp(`^@source ${not}"([^"]+)";`, "gm");
    return ["theme.css", sheet].flatMap((name) =>
      [...readFileSync(path.join(STYLES, name), "utf8").matchAll(pattern)].flatMap(([, glob = ""]) => filesOf(glob)),
    );
  };
  const excluded = new Set(read("not "));
  return new Set(read("").filter((file) => !excluded.has(file)));
}

function filesOf(glob: string): string[] {
  const found = globSync(glob, { cwd: STYLES }).map((file) => path.resolve(STYLES, file));
  expect(found, `${glob} matches no file`).not.toEqual([]);
  return found.flatMap((file) => (statSync(file).isDirectory() ? filesOf(path.join(file, "**/*.{ts,tsx}")) : [file]));
}

const isForBrowsers = (file: string) => !file.endsWith(".server.ts");
const hasMarkup = (file: string) => file.endsWith(".tsx") || /\b(?:cva|cx)\(/.test(readFileSync(file, "utf8"));

describe.each(SHEETS)("$sheet", ({ sheet, routes, without }) => {
  const sources = sourcesOf(sheet);
  const modules = withImports(
    [path.join(APP, "root.tsx"), ...globSync(routes, { cwd: APP }).map((file) => path.join(APP, file))],
    (file) => isForBrowsers(file) && !without.test(file),
  );

  test("looks for utilities in every component of its pages", () => {
    const missing = [...modules].filter((file) => hasMarkup(file) && !sources.has(file));
    expect(missing.map(fromApp)).toEqual([]);
  });

  test("does not contain utilities of other pages", () => {
    const unneeded = [...sources].filter((file) => file.endsWith(".tsx") && !modules.has(file));
    expect(unneeded.map(fromApp)).toEqual([]);
  });
});
