import { existsSync } from "node:fs";
import remixConfig from "../../remix.config.js";
import { inRoot } from "./toolchain.mjs";

/** Names the exports of a route that a browser may be given. The rest, such as its loader, stays with the server. */
const BROWSER_EXPORTS = new Set([
  "ErrorBoundary",
  "HydrateFallback",
  "Layout",
  "clientAction",
  "clientLoader",
  "default",
  "handle",
  "links",
  "meta",
  "shouldRevalidate",
]);

/** Matches the files that the compiler leaves out as well: see emptyModulesPlugin in @remix-run/dev. */
const SERVER_ONLY = /\.server(\.[jt]sx?)?$|^@remix-run\/(cloudflare|deno|node)(\/|$)/;

/** Matches the framework's module that looks up routes one by one: a third of its own code, and settled to be off. */
const LAZY_DISCOVERY = /@remix-run[\\/]react[\\/]dist[\\/]esm[\\/]fog-of-war\.js$/;

/** Answers in its place as it does while the setting `v3_lazyRouteDiscovery` is off. */
const NO_DISCOVERY = `
export const isFogOfWarEnabled = () => false;
export const getPatchRoutesOnNavigationFunction = () => undefined;
export const useFogOFWarDiscovery = () => {};
export const getPartialManifest = (manifest) => manifest;`;

const EMPTY = "\0empty";
const ASSET = "\0asset:";
const ROUTE = "\0route:";

/** Names an entry without code, in which rolldown puts its helpers instead of into one more file. */
export const FRAMEWORK_ENTRY = "\0framework";

export const entryFile = inRoot("app", "entry.client.tsx");

/** Returns the id of the module with which a route's script begins. */
export const routeEntry = (id) => ROUTE + id;

function routeFile(id) {
  const found = [".tsx", ".ts"].map((extension) => inRoot("app", `${id}${extension}`)).find(existsSync);
  if (!found) throw new Error(`There is no file for the route ${id}`);
  return found;
}

/**
 * Returns a plugin of rolldown that makes the browser's half of each route, leaves the server's files empty, and gives
 * style sheets and fonts the address under which the compiler has written them; and `exportsOf(id)`, the names that a
 * route's script must export. `compiled` are the outputs that the compiler's metafile lists.
 */
export function browserModules(compiled) {
  const addresses = new Map(
    Object.entries(compiled)
      .filter(([path, { inputs }]) => path.includes("/_assets/") && Object.keys(inputs).length === 1)
      .map(([path, { inputs }]) => [inRoot(Object.keys(inputs)[0]), path.replace(/^public/, "")]),
  );
  const exported = new Map();
  const plugin = {
    name: "browser-modules",
    async resolveId(source, importer) {
      if (source.startsWith(ROUTE) || source === FRAMEWORK_ENTRY) return source;
      if (SERVER_ONLY.test(source)) return { id: EMPTY, moduleSideEffects: false };
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found && addresses.has(found.id) ? { id: ASSET + found.id, moduleSideEffects: false } : found;
    },
    async load(id) {
      if (id === EMPTY) return { code: "module.exports = {};", moduleSideEffects: false };
      if (LAZY_DISCOVERY.test(id) && !remixConfig.future.v3_lazyRouteDiscovery) return { code: NO_DISCOVERY };
      if (id === FRAMEWORK_ENTRY) return { code: "export {};", moduleSideEffects: "no-treeshake" };
      if (id.startsWith(ASSET)) {
        return { code: `export default ${JSON.stringify(addresses.get(id.slice(ASSET.length)))};`, moduleType: "js" };
      }
      if (!id.startsWith(ROUTE)) return null;
      const file = routeFile(id.slice(ROUTE.length));
      const names = (await this.load({ id: file })).exports.filter((name) => BROWSER_EXPORTS.has(name));
      exported.set(id.slice(ROUTE.length), names);
      const code = names.length > 0 ? `export { ${names.join(", ")} } from ${JSON.stringify(file)};` : "export {};";
      return { code, moduleType: "js" };
    },
  };
  return { plugin, exportsOf: (id) => exported.get(id) ?? [] };
}
