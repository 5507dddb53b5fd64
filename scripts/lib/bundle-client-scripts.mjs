import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import remixConfig from "../../remix.config.js";
import { loadedLater, withImports } from "./chunk-imports.mjs";
import { hydratedPages, hydratedRoutes, lineOf, publicUrl, readClientManifest } from "./client-manifest.mjs";
import { browserModules, entryFile, FRAMEWORK_ENTRY, routeEntry } from "./client-modules.mjs";
import { groupsByPages, joinGroups } from "./join-groups.mjs";
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
  const every = readClientManifest();
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

/** Returns the chunk of an entry. */
function chunkOf(chunks, entry) {
  const chunk = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId === entry);
  if (!chunk) throw new Error(`The browser's scripts lack ${entry}`);
  return chunk;
}

/** Counts as few: what so few pages of several sections share is not loaded by all the others of their layout. */
const FEW = 2;

/** Limits the files that a page loads of what pages of several sections share. */
const SHARED_FILES = 4;

/** Names a module that every page with a list has. */
const LIST_PART = "app/lists/ui/list-panel.tsx";

/** Names the group of what some pages of several sections share: which of them goes together is decided for all at once. */
const SOME_PAGES = "_shared/some";

/**
 * Returns the group of each module. What the entry needs is the framework. What hydrated pages need belongs to the
 * innermost step that all of them have in common: root, layout, section, page. So groups import only outwards. What only
 * lists share goes together, unless few of them do, and so does what few pages of several sections share, or only pages
 * without a list: in as few files as a page may load. Routes that no browser runs stay by themselves, and what only they share goes together.
 */
function groupsOf(chunks, manifest) {
  const { steps, pages } = neededBy(chunks, manifest);
  const ofLists = [...pages.keys()].find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(LIST_PART)));
  if (!ofLists) throw new Error(`No hydrated page has ${LIST_PART}`);
  const listPages = pages.get(ofLists);
  const framework = withImports(chunkOf(chunks, entryFile), chunks);
  const groups = new Map();
  const later = loadedLater(chunks);
  for (const chunk of chunks.values()) {
    if (later.has(chunk)) continue;
    const facts = { home: steps.get(chunk)?.at(-1), pages: pages.get(chunk), listPages };
    groups.set(chunk, framework.has(chunk) ? "framework" : groupFor(chunk, facts));
  }
  const ofSome = new Map([...pages].filter(([chunk]) => groups.get(chunk) === SOME_PAGES));
  const isLoaded = (chunk, page) => ["framework", "root"].includes(groups.get(chunk)) || pages.get(chunk).has(page);
  const joined = joinGroups(groupsByPages(ofSome), { chunks, most: SHARED_FILES, isLoaded });
  for (const [index, { members }] of joined.entries()) {
    for (const chunk of members) groups.set(chunk, `_shared/${index + 1}`);
  }
  const groupOf = new Map();
  for (const [chunk, group] of groups) for (const module of chunk.moduleIds) groupOf.set(module, group);
  groupOf.set(FRAMEWORK_ENTRY, "framework");
  groupOf.delete(entryFile);
  return groupOf;
}

/** Returns the hydrated pages that need each chunk, and the steps that these have in common. */
function neededBy(chunks, manifest) {
  const steps = new Map();
  const pages = new Map();
  for (const line of hydratedPages(manifest)) {
    const ids = line.map(({ id }) => id);
    const all = [...ids.slice(0, -1), sectionOf(ids), ...ids.slice(-1)];
    for (const id of ids) {
      const here = all.slice(0, all.indexOf(id) + 1);
      for (const chunk of withImports(chunkOf(chunks, routeEntry(id)), chunks)) {
        steps.set(chunk, commonSteps(steps.get(chunk) ?? here, here));
        pages.set(chunk, new Set(pages.get(chunk)).add(ids.at(-1)));
      }
    }
  }
  if (steps.size === 0) throw new Error("No route says that its pages are hydrated");
  return { steps, pages };
}

/** Returns the group of a chunk outside of the framework. `home`: the innermost step common to its pages. */
function groupFor(chunk, { home, pages, listPages }) {
  if (!home) return chunk.isEntry ? undefined : "_shared/documents";
  const needing = [...pages];
  if (chunk.isEntry || needing.length === 1) return home;
  if (needing.length > FEW && needing.every((page) => listPages.has(page))) return "_shared/lists";
  if (home.startsWith("_shared/")) return home;
  const hasList = needing.some((page) => listPages.has(page));
  return needing.length <= FEW || (home !== "root" && !hasList) ? SOME_PAGES : home;
}

/** Returns `_shared/admin.submissions` for the page `routes/_admin.admin.submissions.$submissionId`. */
function sectionOf(ids) {
  const [layout, page] = ids.slice(-2);
  const [area, noun = ""] = page.replace(`${layout}.`, "").split(".");
  return `_shared/${area}.${noun.replace(/_$/, "")}`;
}

/** Returns the steps with which both begin. */
function commonSteps(left, right) {
  const parting = left.findIndex((step, index) => step !== right[index]);
  return parting === -1 ? left : left.slice(0, parting);
}

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
 * Writes the list of scripts twice: the browser's file, and the constant that the server's build exports, which also names
 * the routes that never run in a browser.
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
  const text = JSON.stringify(manifest);
  const others = Object.values(every).map((route) => [route.id, { ...route, module: "", imports: [] }]);
  const assets = { ...manifest, routes: { ...Object.fromEntries(others), ...manifest.routes } };
  rmSync(inRoot("public", url));
  writeFileSync(inRoot("public", manifest.url), `window.__remixManifest=${text};`);
  // A name that is exported here hides the one that the other file exports.
  writeFileSync(serverBuild, `export * from "./index.js";\nexport const assets = ${JSON.stringify(assets)};\n`);
}
