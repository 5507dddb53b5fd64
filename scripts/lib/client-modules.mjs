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
const SERVER_ONLY = /\.server(\.[jt]sx?)?$|^@remix-run\/(cloudflare|deno|node)(\/|$)|^react-router-dom\/server$/;

/** Matches the framework's module that looks up routes one by one: a third of its own code, and settled to be off. */
const LAZY_DISCOVERY = /@remix-run[\\/]react[\\/]dist[\\/]esm[\\/]fog-of-war\.js$/;

/** Answers in its place as it does while the setting `v3_lazyRouteDiscovery` is off. */
const NO_DISCOVERY = `
export const isFogOfWarEnabled = () => false;
export const getPatchRoutesOnNavigationFunction = () => undefined;
export const useFogOFWarDiscovery = () => {};
export const getPartialManifest = (manifest) => manifest;`;

/**
 * Matches the pages of the framework that a route without its own error page or fallback would get. They load scripts
 * as documents do.
 */
const FRAMEWORK_PAGES = /@remix-run[\\/]react[\\/]dist[\\/]esm[\\/](errorBoundaries|fallback)\.js$/;

/** Matches the framework's module of components. */
const NAMES_COMPONENTS = /@remix-run[\\/]react[\\/]dist[\\/]esm[\\/]components\.js$/;

/**
 * Names functions of the framework that never have anything to do here, by the module that declares them. They are
 * emptied, so that the bundler drops what only they need.
 */
const NEVER_RUN = [
  // Reads data that a loader sends in pieces. Ours resolve theirs before they answer.
  { module: /@remix-run[\\/]react[\\/]dist[\\/]esm[\\/]data\.js$/, name: "parseDeferredReadableStream" },
  // Loads the style sheets of a route that names some. Those with scripts leave theirs to the root.
  { module: /@remix-run[\\/]react[\\/]dist[\\/]esm[\\/]links\.js$/, name: "prefetchStyleLinks" },
  // Changes routes while they are worked on.
  {
    module: /@remix-run[\\/]react[\\/]dist[\\/]esm[\\/]routes\.js$/,
    name: "createClientRoutesWithHMRRevalidationOptOut",
  },
  // Warns of settings that nobody has chosen. The framework chooses all of them.
  { module: /react-router[\\/]dist[\\/]index\.js$/, name: "logV6DeprecationWarnings" },
];

const EMPTY = "\0empty";
const NO_SCRIPTS = "\0no-scripts:";
const ASSET = "\0asset:";
const ROUTE = "\0route:";

/** Names an entry without code, in which rolldown puts its helpers instead of into one more file. */
export const FRAMEWORK_ENTRY = "\0framework";

export const entryFile = inRoot("app", "entry.client.tsx");

/** Returns the id of the module with which a route's script begins. */
export const routeEntry = (id) => ROUTE + id;

/**
 * Blanks the statements that give a component the name it has in React's tools. Because of them the bundler keeps
 * components that nobody uses, with all that these need.
 */
function withoutDisplayNames(code, statements) {
  return statements
    .filter(
      ({ type, expression }) => type === "ExpressionStatement" && expression.left?.property?.name === "displayName",
    )
    .reduceRight((text, { start, end }) => text.slice(0, start) + " ".repeat(end - start) + text.slice(end), code);
}

/** Blanks the body of a function. */
function withoutBody(code, statements, name) {
  const found = statements.find(({ type, id }) => type === "FunctionDeclaration" && id.name === name);
  if (!found) throw new Error(`The framework has no function ${name} any more`);
  const { start, end } = found.body;
  return `${code.slice(0, start)}{${" ".repeat(end - start - 2)}}${code.slice(end)}`;
}

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
      if (FRAMEWORK_PAGES.test(importer) && source === "./components.js") return NO_SCRIPTS + found.id;
      return found && addresses.has(found.id) ? { id: ASSET + found.id, moduleSideEffects: false } : found;
    },
    async load(id) {
      if (id === EMPTY) return { code: "module.exports = {};", moduleSideEffects: false };
      if (LAZY_DISCOVERY.test(id) && !remixConfig.future.v3_lazyRouteDiscovery) return { code: NO_DISCOVERY };
      if (id.startsWith(NO_SCRIPTS)) {
        const components = JSON.stringify(id.slice(NO_SCRIPTS.length));
        return { code: `export * from ${components}; export const Scripts = () => null;`, moduleType: "js" };
      }
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
    transform(code, id) {
      if (NAMES_COMPONENTS.test(id)) return { code: withoutDisplayNames(code, this.parse(code).body) };
      const never = NEVER_RUN.find(({ module }) => module.test(id));
      return never ? { code: withoutBody(code, this.parse(code).body, never.name) } : null;
    },
  };
  return { plugin, exportsOf: (id) => exported.get(id) ?? [] };
}
