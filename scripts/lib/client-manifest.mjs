import { existsSync, readdirSync, readFileSync } from "node:fs";
import remixConfig from "../../remix.config.js";
import { inRoot } from "./toolchain.mjs";

const HYDRATED = /^export const handle = \{[^}]*\bhydrate: true\b/m;
const PAGE = /^export default function /m;

/** Names the file with the list of scripts and their imports. */
export const scriptsFile = inRoot("build", "client-scripts.json");

/**
 * Returns the list of scripts that a build has made: of the entry and of every route that runs in a browser, with all
 * that each of them imports.
 * @typedef {{ module: string, imports?: string[] }} Scripts
 * @typedef {Scripts & { id: string, parentId?: string, path?: string }} Route
 * @typedef {{ url: string, entry: Scripts, routes: Record<string, Route> }} Manifest
 * @returns {Manifest}
 */
export function readClientManifest() {
  return JSON.parse(readFileSync(scriptsFile, "utf8"));
}

/**
 * Returns the compiler's list of all routes.
 * @returns {Manifest}
 */
export function readCompiledManifest() {
  const folder = remixConfig.assetsBuildDirectory;
  const names = readdirSync(inRoot(folder)).filter((file) => /^manifest-.*\.js$/.test(file));
  if (names.length !== 1) throw new Error(`Expected one list of scripts in ${folder}, found ${names.length}`);
  return parseClientManifest(readFileSync(inRoot(folder, names[0]), "utf8"));
}

/**
 * Reads the list as the compiler writes it. Throws when it is written in another way.
 * @param {string} text
 * @returns {Manifest}
 */
export function parseClientManifest(text) {
  const [, json] = /^window\.__remixManifest=(\{.*\});$/s.exec(text) ?? [];
  const manifest = json ? JSON.parse(json) : {};
  const routes = Object.entries(manifest.routes ?? {});
  const isComplete = routes.length > 0 && routes.every(([id, route]) => route.id === id && route.module);
  if (!manifest.url || !manifest.entry?.module || !isComplete) {
    throw new Error("The list of scripts is not as the compiler writes it");
  }
  return manifest;
}

/** Returns the path, relative to the project, of the built file behind an address. */
export const builtFile = (url) => `${remixConfig.assetsBuildDirectory}/${url.slice(remixConfig.publicPath.length)}`;

/** Returns the address of a file of the browser's build. */
export const publicUrl = (fileName) => remixConfig.publicPath + fileName;

/** Returns the pages that run the framework in the browser, each as its matching routes, outermost first. */
export function hydratedPages({ routes }) {
  const layouts = new Set(Object.values(routes).map(({ parentId }) => parentId));
  return Object.values(routes)
    .filter(({ id }) => !layouts.has(id) && PAGE.test(sourceOf(id)))
    .map((route) => lineOf(route, routes))
    .filter((line) => line.some(({ id }) => HYDRATED.test(sourceOf(id))));
}

/** Returns the routes that run in the browser: those of hydrated areas, and the root around them. */
export function hydratedRoutes({ routes }) {
  const runs = (route) => !route.parentId || lineOf(route, routes).some(({ id }) => HYDRATED.test(sourceOf(id)));
  return Object.fromEntries(Object.entries(routes).filter(([, route]) => runs(route)));
}

/** Returns a route and its parents, outermost first. */
export function lineOf(route, routes) {
  return route.parentId ? [...lineOf(routes[route.parentId], routes), route] : [route];
}

function sourceOf(id) {
  const page = inRoot("app", `${id}.tsx`);
  return existsSync(page) ? readFileSync(page, "utf8") : "";
}
