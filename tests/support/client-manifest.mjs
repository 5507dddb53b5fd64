import { existsSync, readdirSync, readFileSync } from "node:fs";
import remixConfig from "../../remix.config.js";
import { inRoot } from "../../scripts/lib/toolchain.mjs";

const HYDRATED = /^export const handle = \{[^}]*\bhydrate: true\b/m;
const PAGE = /^export default function /m;

/**
 * Returns the compiler's list of the browser's scripts: of the entry and of each route, with all that these import.
 * @typedef {{ module: string, imports?: string[] }} Scripts
 * @typedef {Scripts & { id: string, parentId?: string, path?: string }} Route
 * @typedef {{ url: string, entry: Scripts, routes: Record<string, Route> }} Manifest
 * @returns {Manifest}
 */
export function readClientManifest() {
  const folder = inRoot(remixConfig.assetsBuildDirectory);
  const names = readdirSync(folder).filter((file) => /^manifest-.*\.js$/.test(file));
  if (names.length !== 1) throw new Error(`Expected one list of scripts in ${folder}, found ${names.length}`);
  return JSON.parse(readFileSync(`${folder}/${names[0]}`, "utf8").replace(/^window\.__remixManifest=|;$/g, ""));
}

/** Returns the path, relative to the project, of the built file behind an address. */
export const builtFile = (url) => `${remixConfig.assetsBuildDirectory}/${url.slice(remixConfig.publicPath.length)}`;

/** Returns the pages that run the framework in the browser, each as its matching routes, outermost first. */
function hydratedPages({ routes }) {
  const layouts = new Set(Object.values(routes).map(({ parentId }) => parentId));
  return Object.values(routes)
    .filter(({ id }) => !layouts.has(id) && PAGE.test(sourceOf(id)))
    .map((route) => lineOf(route, routes))
    .filter((line) => line.some(({ id }) => HYDRATED.test(sourceOf(id))));
}

/** Returns a route and its parents, outermost first. */
function lineOf(route, routes) {
  return route.parentId ? [...lineOf(routes[route.parentId], routes), route] : [route];
}

function sourceOf(id) {
  const page = inRoot("app", `${id}.tsx`);
  return existsSync(page) ? readFileSync(page, "utf8") : "";
}

/**
 * Returns every page that runs the framework, with the addresses of all scripts it loads: the list of scripts, the
 * entry, its routes, and what these import.
 * @typedef {{ page: string, scripts: string[] }} PageScripts
 * @returns {PageScripts[]}
 */
export function pageScripts() {
  const manifest = readClientManifest();
  return hydratedPages(manifest).map((line) => {
    const loaded = [manifest.entry, ...line].flatMap(({ module, imports = [] }) => [module, ...imports]);
    return { page: line.at(-1).path, scripts: [...new Set([manifest.url, ...loaded])] };
  });
}
