import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const APP = path.resolve(import.meta.dirname, "../../app");
const STYLES = path.join(APP, "styles");

/** The two style sheets, and the routes whose pages have them. */
const SHEETS = [
  { sheet: "site.css", routes: "routes/{_site,_auth,_account,_portal}*.tsx" },
  { sheet: "admin.css", routes: "routes/{_admin,dev.}*.tsx" },
];

const fromApp = (file: string) => path.relative(APP, file);

/** The files in which a style sheet looks for utilities, those of the sheets it imports included. */
function sourcesOf(sheet: string): Set<string> {
  const read = (not: string) => {
    const pattern = new RegExp(`^@source ${not}"([^"]+)";`, "gm");
    return ["theme.css", sheet].flatMap((name) =>
      [...readFileSync(path.join(STYLES, name), "utf8").matchAll(pattern)].flatMap(([, glob = ""]) => filesOf(glob)),
    );
  };
  const left = new Set(read("not "));
  return new Set(read("").filter((file) => !left.has(file)));
}

function filesOf(glob: string): string[] {
  const found = globSync(glob, { cwd: STYLES }).map((file) => path.resolve(STYLES, file));
  expect(found, `${glob} names nothing`).not.toEqual([]);
  return found.flatMap((file) => (statSync(file).isDirectory() ? filesOf(path.join(file, "**/*.{ts,tsx}")) : [file]));
}

/** What a module imports of the application, without types and without the server's own. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/^(?:import|export) (?!type )[^;]*?from "([~.][^"]+)";/gms)].flatMap(([, name = ""]) => {
    const base = name.startsWith("~/") ? path.join(APP, name.slice(2)) : path.resolve(path.dirname(file), name);
    const known = [`${base}.tsx`, `${base}.ts`].find((candidate) => existsSync(candidate));
    return known && !base.endsWith(".server") ? [known] : [];
  });
}

/** Every module that the given ones bring along, themselves included. */
function reachedFrom(files: readonly string[], reached = new Set<string>()): Set<string> {
  for (const file of files) {
    if (reached.has(file)) continue;
    reached.add(file);
    reachedFrom(importsOf(file), reached);
  }
  return reached;
}

const hasMarkup = (file: string) => file.endsWith(".tsx") || /\b(?:cva|cx)\(/.test(readFileSync(file, "utf8"));

describe.each(SHEETS)("$sheet", ({ sheet, routes }) => {
  const sources = sourcesOf(sheet);
  const reached = reachedFrom([
    path.join(APP, "root.tsx"),
    ...globSync(routes, { cwd: APP }).map((file) => path.join(APP, file)),
  ]);

  test("looks for utilities in every component of its pages", () => {
    const unread = [...reached].filter((file) => hasMarkup(file) && !sources.has(file));
    expect(unread.map(fromApp)).toEqual([]);
  });

  test("does not carry what only other pages show", () => {
    const idle = [...sources].filter((file) => file.endsWith(".tsx") && !reached.has(file));
    expect(idle.map(fromApp)).toEqual([]);
  });
});
