import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import remixConfig from "../../remix.config.js";
import { chunkOf, withImports } from "./chunk-imports.mjs";
import { hydratedRoutes, lineOf, publicUrl, readCompiledManifest, scriptsFile } from "./client-manifest.mjs";
import { browserModules, entryFile, FRAMEWORK_ENTRY, routeEntry } from "./client-modules.mjs";
import { groupsOf } from "./group-modules.mjs";
import { inRoot } from "./toolchain.mjs";

/** Replaces settings of remix.config.js by their values, so that code for other values is left out. */
const SETTLED = {
  "process.env.NODE_ENV": '"production"',
  "process.env.REMIX_DEV_ORIGIN": '""',
  "import.meta.hot": "undefined",
  ...Object.fromEntries(
    Object.entries(remixConfig.future).map(([flag, value]) => [`window.__remixContext.future.${flag}`, String(value)]),
  ),
  "window.__remixContext.isSpaMode": "false",
  "typeof document": '"object"',
};

/** Matches warnings that may be ignored: React's directives mean nothing in a browser. */
const HARMLESS = new Set(["MODULE_LEVEL_DIRECTIVE"]);

/** Names the module of the server's build that exports the list of scripts: the compiler's, or the one made here. */
const serverBuild = inRoot("build", "server.js");

/**
 * Bundles the browser's scripts from the routes, in files by who needs them
 * (docs/decisions/0012-client-scripts-in-groups.md), instead of those that `remix build` leaves in `public/build`.
 * Tells the browser and the server their names. Throws when anything is not as expected.
 */
export async function bundleClientScripts() {
  const every = readCompiledManifest();
  const manifest = { ...every, routes: hydratedRoutes(every) };
  const compiled = JSON.parse(readFileSync(inRoot("build", "metafile.js.json"), "utf8")).outputs;
  const { plugin, exportsOf } = browserModules(compiled);
  const chunks = await bundle(manifest, plugin);
  checkImports(chunks);
  for (const id of Object.keys(manifest.routes)) {
    const lost = exportsOf(id).filter((name) => !chunkOf(chunks, routeEntry(id)).exports.includes(name));
    if (lost.length > 0) throw new Error(`The script of ${id} lost ${lost.join(", ")}`);
  }

  for (const path of Object.keys(compiled)) if (path.endsWith(".js")) rmSync(inRoot(path), { force: true });
  for (const { fileName, code } of chunks.values()) {
    const path = inRoot(remixConfig.assetsBuildDirectory, fileName);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  writeManifest(manifest, every.routes, chunks);
}

/** Leaves the compiler's scripts as they are, for `npm run dev`. */
export function keepCompiledScripts() {
  writeFileSync(serverBuild, 'export * from "./index.js";\n');
}

/** Bundles twice: what shares a file can be said only when it is known which modules each route keeps. */
async function bundle(manifest, plugin) {
  const { rolldown } = await import("rolldown");
  const bundler = await rolldown({
    cwd: inRoot(),
    input: {
      "entry.client": entryFile,
      framework: FRAMEWORK_ENTRY,
      ...Object.fromEntries(Object.keys(manifest.routes).map((id) => [id, routeEntry(id)])),
    },
    plugins: [plugin],
    platform: "browser",
    tsconfig: "tsconfig.json",
    transform: { define: SETTLED },
    treeshake: { propertyReadSideEffects: false },
    // A file of the server is empty for the browser; only code that is dropped anyway uses what it exports.
    shimMissingExports: true,
    preserveEntrySignatures: "allow-extension",
    checks: { bundlerTimings: false },
    onLog: (level, log) => {
      if (level === "warn" && !HARMLESS.has(log.code)) throw new Error(`The browser's scripts: ${log.message}`);
    },
  });
  try {
    const alone = chunksOf(await bundler.generate({ format: "esm" }));
    const groupOf = groupsOf(alone, manifest);
    const grouped = await bundler.generate({
      format: "esm",
      entryFileNames: "[name]-[hash].js",
      chunkFileNames: "[name]-[hash].js",
      minify: {
        compress: {
          target: "es2022",
          keepNames: { function: false, class: false },
          unused: true,
          joinVars: true,
          sequences: true,
          treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false, annotations: true },
        },
        mangle: { toplevel: true },
      },
      comments: false,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ debugName: "by page", name: (id) => groupOf.get(id) ?? null }],
      },
    });
    return chunksOf(grouped);
  } finally {
    await bundler.close();
  }
}

/** Returns the scripts of a bundle by file name. */
const chunksOf = ({ output }) =>
  new Map(output.filter(({ type }) => type === "chunk").map((one) => [one.fileName, one]));

/** Throws when scripts import in a circle, or something that is not among them. */
function checkImports(chunks) {
  const done = new Set();
  const follow = (name, line) => {
    if (line.includes(name)) throw new Error(`Scripts import in a circle: ${[...line, name].join(" → ")}`);
    if (done.has(name)) return;
    const chunk = chunks.get(name);
    if (!chunk) throw new Error(`${line.at(-1)} imports ${name}, which is not among the browser's scripts`);
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) follow(next, [...line, name]);
    done.add(name);
  };
  for (const name of chunks.keys()) follow(name, []);
}

/**
 * Writes the list of scripts three times: for the browser, which finds imports by itself; as the constant that the
 * server's build exports, which also names the routes that never run in a browser; and with nothing but what browsers
 * load, for tests and measurements.
 */
function writeManifest({ routes, url }, every, chunks) {
  const filesOf = (entry) => {
    const [own, ...imports] = withImports(chunkOf(chunks, entry), chunks);
    return { module: publicUrl(own.fileName), imports: imports.map(({ fileName }) => publicUrl(fileName)) };
  };
  const loaded = ({ module, imports }) => [module, ...imports];
  const entry = filesOf(entryFile);
  const renamed = (route) => {
    const around = lineOf(route, routes).slice(0, -1);
    const known = [entry, ...around.map(({ id }) => filesOf(routeEntry(id)))].flatMap(loaded);
    const { module, imports } = filesOf(routeEntry(route.id));
    return { ...route, module, imports: imports.filter((file) => !known.includes(file)) };
  };
  const named = { entry, routes: Object.fromEntries(Object.values(routes).map((route) => [route.id, renamed(route)])) };
  // Pages are cached by version. What only the server's code has changed, such as a policy, makes a new one too.
  const server = readFileSync(inRoot(remixConfig.serverBuildPath));
  const version = createHash("sha256").update(JSON.stringify(named)).update(server).digest("hex").slice(0, 8);
  const manifest = { ...named, version, url: publicUrl(`manifest-${version.toUpperCase()}.js`) };
  const withoutImports = ({ imports, ...rest }) => rest;
  const text = JSON.stringify({
    ...manifest,
    entry: withoutImports(entry),
    routes: Object.fromEntries(Object.values(manifest.routes).map((route) => [route.id, withoutImports(route)])),
  });
  const others = Object.values(every).map((route) => [route.id, { ...route, module: "", imports: [] }]);
  const assets = { ...manifest, routes: { ...Object.fromEntries(others), ...manifest.routes } };
  rmSync(inRoot("public", url));
  writeFileSync(inRoot("public", manifest.url), `window.__remixManifest=${text};`);
  writeFileSync(scriptsFile, JSON.stringify(manifest));
  // A name that is exported here hides the one that the other file exports.
  writeFileSync(serverBuild, `export * from "./index.js";\nexport const assets = ${JSON.stringify(assets)};\n`);
}
