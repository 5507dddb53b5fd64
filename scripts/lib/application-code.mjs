/*
 * Loaded in front of scripts that use the application's own modules (`--import`), so that hashing, sealing and ids are
 * those of the worker and not a copy. Node strips the types itself; of the path alias and of missing extensions it must
 * be told.
 */
import { existsSync, readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inRoot } from "./toolchain.mjs";

const require = createRequire(import.meta.url);

registerHooks({
  resolve(specifier, context, next) {
    const base = specifier.startsWith("~/")
      ? pathToFileURL(inRoot("app", specifier.slice(2))).href
      : /^\.{1,2}\//.test(specifier) && context.parentURL?.startsWith(pathToFileURL(inRoot("app")).href)
        ? new URL(specifier, context.parentURL).href
        : null;
    if (base) {
      for (const extension of [".ts", ".tsx"]) {
        if (existsSync(fileURLToPath(base + extension))) return next(base + extension, context);
      }
    }
    return next(base ?? specifier, context);
  },
  load(url, context, next) {
    if (!url.endsWith(".tsx")) return next(url, context);
    const { transformSync } = require("esbuild");
    const { code } = transformSync(readFileSync(fileURLToPath(url), "utf8"), { loader: "tsx", jsx: "automatic" });
    return { format: "module", source: code, shortCircuit: true };
  },
});
