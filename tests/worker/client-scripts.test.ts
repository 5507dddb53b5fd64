import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, test } from "vitest";
import { builtFile, hydratedPages, lineOf, readClientManifest } from "../../scripts/lib/client-manifest.mjs";

/*
 * The scripts of the build: all files of the manifest exist, can be parsed, and export what their route exports.
 */
const root = path.resolve(import.meta.dirname, "../..");
const { url, entry, routes } = readClientManifest();
const fileOf = (address: string) => path.join(root, builtFile(address));

/** Returns the addresses a script imports and the names it exports. Fails on any other form of import or export. */
function read(address: string): { imports: string[]; exports: string[] } {
  const imports: string[] = [];
  const exports: string[] = [];
  for (const statement of parseAst(readFileSync(fileOf(address), "utf8")).body) {
    if (statement.type === "ImportDeclaration") {
      imports.push(new URL(statement.source.value, `http://x${address}`).pathname);
    } else if (statement.type === "ExportNamedDeclaration") {
      if (statement.source) imports.push(new URL(statement.source.value, `http://x${address}`).pathname);
      for (const { exported } of statement.specifiers) exports.push(exported.type === "Literal" ? "" : exported.name);
    } else {
      expect(statement.type, address).not.toMatch(/^(Ex|Im)port/);
    }
  }
  return { imports, exports };
}

/** Returns the addresses of the scripts that a script asks for later. */
const laterScripts = (address: string): string[] =>
  [...readFileSync(fileOf(address), "utf8").matchAll(/\bimport\([`"'](\.[^`"']+)[`"']\)/g)].map(
    ([, source = ""]) => new URL(source, `http://x${address}`).pathname,
  );

/** Returns the scripts that a page loads for a route: its own and those it imports. */
const loaded = (route: { module: string; imports?: string[] }) => [route.module, ...(route.imports ?? [])];

/** Returns the names that a route's source exports for the browser. */
function exportsOfSource(id: string): string[] {
  const file = [".tsx", ".ts"].map((extension) => path.join(root, "app", id + extension)).find(existsSync) ?? "";
  const text = readFileSync(file, "utf8");
  const names = text.matchAll(/^export (?:async )?(?:function|const) (\w+)|^export (default) /gm);
  const clientExports = ["default", "handle", "links", "meta", "shouldRevalidate", "ErrorBoundary", "Layout"];
  const own = [...names].map(([, name, byDefault]) => name ?? byDefault ?? "");
  const reexported = [...text.matchAll(/^export \{([^}]*)\} from/gm)].flatMap(([, list = ""]) =>
    list.split(",").map((item) => item.trim().split(" as ").at(-1) ?? ""),
  );
  return [...own, ...reexported].filter((name) => clientExports.includes(name));
}

describe.each(Object.values(routes))("$id", (route) => {
  test("exists, imports only scripts of the manifest, and exports what the route exports", () => {
    const { imports, exports } = read(route.module);
    const listed = [entry, ...lineOf(route, routes)].flatMap(loaded);
    expect(listed).toEqual(expect.arrayContaining(imports));
    expect(exports).toEqual(expect.arrayContaining(exportsOfSource(route.id)));
  });
});

test("the build has exactly the scripts that are imported, directly or indirectly", () => {
  const seen = new Set<string>();
  const follow = (address: string) => {
    if (seen.has(address)) return;
    seen.add(address);
    for (const next of [...read(address).imports, ...laterScripts(address)]) follow(next);
  };
  for (const address of [entry, ...Object.values(routes)].flatMap(loaded)) follow(address);
  const imported = [url, ...seen].map((address) => path.relative(root, fileOf(address)));
  const present = readdirSync(path.join(root, "public/build"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => path.join("public/build", name));
  expect(imported.sort()).toEqual(present.sort());
});

test("some pages are hydrated, and the entry script has no exports", () => {
  expect(hydratedPages({ routes }).length).toBeGreaterThan(0);
  expect(read(entry.module).exports).toEqual([]);
});

test("no script has what only documents need: the scripts they load, and links that load pages ahead", () => {
  const texts = [entry, ...Object.values(routes)]
    .flatMap(loaded)
    .map((address) => readFileSync(fileOf(address), "utf8"));
  for (const text of texts) expect(text).not.toMatch(/__remixRouteModules ?= ?\{|modulepreload/);
});

test("only the page of analytics asks for the code of charts, which is a script of its own", () => {
  const scripts = [entry, ...Object.values(routes)];
  const hasCharts = (address: string) => readFileSync(fileOf(address), "utf8").includes("recharts");
  const asking = scripts.filter(({ module }) => laterScripts(module).some(hasCharts));
  expect(asking.map((route) => ("id" in route ? route.id : "entry"))).toEqual(["routes/_admin.admin.analytics._index"]);
  const atStart = new Set(scripts.flatMap(loaded));
  for (const address of atStart) expect(hasCharts(address), address).toBe(false);
});
