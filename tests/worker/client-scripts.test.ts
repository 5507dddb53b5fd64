import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, test } from "vitest";
import { builtFile, hydratedPages, lineOf, readClientManifest } from "../../scripts/lib/client-manifest.mjs";

/*
 * The scripts as the build has left them, whatever the compiler and the bundler did: what the list names is there, can
 * be read by a browser, and gives each route what it exports.
 */
const root = path.resolve(import.meta.dirname, "../..");
const { url, entry, routes } = readClientManifest();
const fileOf = (address: string) => path.join(root, builtFile(address));

/** What a script imports, as addresses, and the names it exports. Fails on a form of import that is not known here. */
function read(address: string): { imports: string[]; exports: string[] } {
  const imports: string[] = [];
  const exports: string[] = [];
  for (const statement of parseAst(readFileSync(fileOf(address), "utf8")).body) {
    if (statement.type === "ImportDeclaration") {
      imports.push(new URL(statement.source.value, `http://x${address}`).pathname);
    } else if (statement.type === "ExportNamedDeclaration") {
      expect(statement.source, `${address} passes something on`).toBeNull();
      for (const { exported } of statement.specifiers) exports.push(exported.type === "Literal" ? "" : exported.name);
    } else {
      expect(statement.type, address).not.toMatch(/^(Ex|Im)port/);
    }
  }
  return { imports, exports };
}

/** What a page has loaded of a route: its script, and those around it, with all that these import. */
const loaded = (route: { module: string; imports?: string[] }) => [route.module, ...(route.imports ?? [])];

/** Names that a route's source exports for the browser. */
function exportsOfSource(id: string): string[] {
  const file = [".tsx", ".ts"].map((extension) => path.join(root, "app", id + extension)).find(existsSync) ?? "";
  const names = readFileSync(file, "utf8").matchAll(/^export (?:async )?(?:function|const) (\w+)|^export (default) /gm);
  const known = ["default", "handle", "links", "meta", "shouldRevalidate", "ErrorBoundary", "Layout"];
  return [...names].map(([, name, byDefault]) => name ?? byDefault ?? "").filter((name) => known.includes(name));
}

describe.each(Object.values(routes))("$id", (route) => {
  test("is there, loads nothing but what the list says, and exports what the route exports", () => {
    const { imports, exports } = read(route.module);
    const around = [entry, ...lineOf(route, routes)].flatMap(loaded);
    expect(around).toEqual(expect.arrayContaining(imports));
    expect(exports).toEqual(expect.arrayContaining(exportsOfSource(route.id)));
  });
});

test("what scripts import is there too, down to the last", () => {
  const seen = new Set<string>();
  const follow = (address: string) => {
    if (seen.has(address)) return;
    seen.add(address);
    for (const next of read(address).imports) follow(next);
  };
  for (const address of [entry, ...Object.values(routes)].flatMap(loaded)) follow(address);
  const named = [url, ...seen].map((address) => path.relative(root, fileOf(address)));
  const present = readdirSync(path.join(root, "public/build"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => path.join("public/build", name));
  expect(named.sort()).toEqual(present.sort());
});

test("some pages are hydrated, and the entry starts them without exporting anything", () => {
  expect(hydratedPages({ routes }).length).toBeGreaterThan(0);
  expect(read(entry.module).exports).toEqual([]);
});
