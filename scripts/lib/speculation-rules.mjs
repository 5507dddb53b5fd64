import { inRoot } from "./toolchain.mjs";
import { writeIfChanged } from "./write-if-changed.mjs";

/** Names the file, which is served without the worker; `public/_headers` gives it its type. */
const file = inRoot("public", "speculation-rules.json");

/**
 * Returns the rules by which browsers load linked pages before they are opened: only pages of the page cache, because
 * those are the same for everybody and cost no rendering. A query makes a page another one.
 */
export const speculationRules = (cachedPaths) => ({
  prefetch: [
    {
      where: { and: [{ href_matches: cachedPaths }, { not: { href_matches: "/*\\?*" } }] },
      eagerness: "moderate",
    },
  ],
});

/** Writes the rules for the cached pages in the table of addresses. */
export async function buildSpeculationRules() {
  const { cachedPaths } = await importModule("app/lib/areas.ts");
  writeIfChanged(file, `${JSON.stringify(speculationRules(cachedPaths), null, 2)}\n`);
}

/** Imports a module of the application on any Node: the build may run on one that does not know TypeScript. */
async function importModule(path) {
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: inRoot(),
    entryPoints: [path],
    bundle: true,
    format: "esm",
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
