import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Lists the modules of the project: those of three folders, and the settings of tools beside them. */
const files = [
  ...readdirSync(ROOT),
  ...["app", "scripts", "tests"].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  ),
].filter((file) => /\.(tsx?|mjs)$/.test(file) && !/^app\/generated|\.d\.ts$/.test(file));

const modules = files.map((name) => ({ name, text: readFileSync(path.join(ROOT, name), "utf8") }));
const names = new Set(files);

/** Matches what others read: the framework, drizzle-kit, the runtime. */
const READ_BY_TOOLS = /^app\/(routes\/|root\.tsx|entry\.|worker\.ts|db\/schema\/)/;

const EXPORTS = /^export (?:async )?(?:const|let|function\*?|class|type|interface) ([\w$]+)/gm;

/** Matches `import { a, type B as C } from "…"`, the same with `export`, and `{ a } = await import("…")`. */
const NAMED = /\{([^{}]*)\}\s*(?:from|=\s*await import\()\s*"([^"]+)"/g;

/** Matches each name of such a list as its own module calls it: `a` of `type a as b` and of `a: b`. */
const OWN_NAME = /(?<=(?:^|,)\s*(?:type )?)(?!type )[\w$]+/g;

/** Matches modules that are taken as a whole or later, where nothing is said of which of their names are used. */
const WHOLE = /\bimport \* as \w+ from "([^"]+)"|(?<!\} = await )\bimport\(\s*"([^"]+)"\s*\)/g;

/** Matches what a script writes into a file: that file's exports are not its own. */
const TEMPLATE = /`[^`]*`/g;

/** Returns the file of the project that an import names; undefined: it is a package. */
function fileOf(importer: string, specifier: string): string | undefined {
  if (!/^[.~]/.test(specifier)) return;
  const target = specifier.startsWith("~/")
    ? path.posix.join("app", specifier.slice(2))
    : path.posix.join(path.posix.dirname(importer), specifier);
  return ["", ".ts", ".tsx"].map((end) => target + end).find((file) => names.has(file));
}

test("an export is imported by another module: what only its own file uses is not exported", () => {
  const imported = new Set<string>();
  const whole = new Set<string | undefined>();
  for (const { name, text } of modules) {
    for (const [, list = "", specifier = ""] of text.matchAll(NAMED)) {
      const file = fileOf(name, specifier);
      for (const [own] of list.matchAll(OWN_NAME)) imported.add(`${file}: ${own}`);
    }
    for (const [, atStart, later = ""] of text.matchAll(WHOLE)) whole.add(fileOf(name, atStart ?? later));
  }
  const unused = modules
    .filter(({ name }) => !READ_BY_TOOLS.test(name) && !whole.has(name))
    .flatMap(({ name, text }) =>
      [...text.replaceAll(TEMPLATE, "").matchAll(EXPORTS)].map((found) => `${name}: ${found[1]}`),
    )
    .filter((exported) => !imported.has(exported));
  expect(unused).toEqual([]);
});

/** Matches what the framework reads by its name, of the root and of the two entries. */
const NAMED_BY_FRAMEWORK =
  /^(?:default|loader|action|meta|links|headers|handle|shouldRevalidate|clientLoader|clientAction)$/;

test("a name that modules of the app export means one thing: no two of them define it", () => {
  const definers = new Map<string, string[]>();
  for (const { name, text } of modules) {
    if (!/^app\/(?!routes\/)/.test(name)) continue;
    for (const exported of new Set([...text.replaceAll(TEMPLATE, "").matchAll(EXPORTS)].map((found) => found[1] ?? "")))
      if (!NAMED_BY_FRAMEWORK.test(exported)) definers.set(exported, [...(definers.get(exported) ?? []), name]);
  }
  expect([...definers].filter(([, files]) => files.length > 1)).toEqual([]);
});
