import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { builtFile, hydratedPages, readClientManifest } from "../client-manifest.mjs";
import { inRoot } from "../toolchain.mjs";

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

/** Returns rows of the benchmark: number and bytes of a page's scripts with an empty cache, as gzip would send them. */
export function scriptBytes() {
  return pageScripts()
    .map(({ page, scripts }) => ({ page: `/${page}`, scripts: scripts.length, "js gzip": sum(scripts.map(gzipped)) }))
    .toSorted((left, right) => right["js gzip"] - left["js gzip"]);
}

const gzipped = (url) => gzipSync(readFileSync(inRoot(builtFile(url))), { level: 6 }).length;

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
