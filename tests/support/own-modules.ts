import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const APP = path.resolve(import.meta.dirname, "../../app");

/** Matches imports without types, at the start of a module and later ones: `import("./chart")`. */
const IMPORTS = /^(?:import|export) (?!type )[^;]*?from "([~.][^"]+)";|\bimport\("([~.][^"]+)"\)/gms;

/** Returns the modules of the application that a module imports, without types. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(IMPORTS)].flatMap(([, atStart, later]) => {
    const name = atStart ?? later ?? "";
    const module = name.startsWith("~/") ? path.join(APP, name.slice(2)) : path.resolve(path.dirname(file), name);
    const found = [`${module}.tsx`, `${module}.ts`].find((candidate) => existsSync(candidate));
    return found ? [found] : [];
  });
}

/** Returns the files and all modules they import, directly or indirectly, if `follows` says so of each of these. */
export function withImports(
  files: readonly string[],
  follows: (file: string) => boolean = () => true,
  found = new Set<string>(),
): Set<string> {
  for (const file of files) {
    if (found.has(file)) continue;
    found.add(file);
    withImports(importsOf(file).filter(follows), follows, found);
  }
  return found;
}
