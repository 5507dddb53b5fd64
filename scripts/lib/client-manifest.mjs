import { existsSync, readdirSync, readFileSync } from "node:fs";
import remixConfig from "../../remix.config.js";
import { inRoot } from "./toolchain.mjs";

const HYDRATED = /^export const handle = \{[^}]*\bhydrate: true\b/m;
const PAGE = /^export default function /m;

/**
 * What the compiler tells the browser: the script of the entry and of every route, with all that each of them imports.
 * @typedef {{ module: string, imports?: string[] }} Scripts
 * @typedef {Scripts & { id: string, parentId?: string, path?: string }} Route
 * @returns {{ url: string, entry: Scripts, routes: Record<string, Route> }}
 */
export function readClientManifest() {
  const folder = remixConfig.assetsBuildDirectory;
  const name = readdirSync(inRoot(folder)).find((file) => /^manifest-.*\.js$/.test(file));
  const text = readFileSync(inRoot(folder, name), "utf8");
  return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
}

/** File of the build behind an address, relative to the project. */
export const builtFile = (url) => `${remixConfig.assetsBuildDirectory}/${url.slice(remixConfig.publicPath.length)}`;

/** The pages that run the framework in the browser, each as the line of routes that make it, outermost first. */
export function hydratedPages({ routes }) {
  const layouts = new Set(Object.values(routes).map(({ parentId }) => parentId));
  return Object.values(routes)
    .filter(({ id }) => !layouts.has(id) && PAGE.test(sourceOf(id)))
    .map((route) => lineOf(route, routes))
    .filter((line) => line.some(({ id }) => HYDRATED.test(sourceOf(id))));
}

/** A route with those around it. */
export function lineOf(route, routes) {
  return route.parentId ? [...lineOf(routes[route.parentId], routes), route] : [route];
}

function sourceOf(id) {
  const page = inRoot("app", `${id}.tsx`);
  return existsSync(page) ? readFileSync(page, "utf8") : "";
}
