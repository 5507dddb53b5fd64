import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import remixConfig from "../remix.config.js";
import { builtFile, hydratedPages, lineOf, readClientManifest } from "./client-manifest.mjs";
import { inRoot } from "./toolchain.mjs";

/** Settled in remix.config.js, so the code for the other answer need not travel to the browser. */
const SETTLED = {
  "window.__remixContext.future.v3_singleFetch": String(remixConfig.future.v3_singleFetch),
  "window.__remixContext.isSpaMode": "false",
};

/**
 * Puts the many small scripts that `remix build` leaves in `public/build` together by who needs them
 * (docs/decisions/0012-client-scripts-in-groups.md), and tells the server's build and the browser their new names.
 */
export async function groupClientScripts() {
  const manifest = readClientManifest();
  const scripts = readScripts();
  const groups = groupsOf(scripts, manifest);
  const groupOf = new Map([...groups].flatMap(([name, members]) => members.map((path) => [path, name])));
  const files = await compile({ scripts, groups, groupOf, modules: modulesOf(manifest) });

  for (const path of scripts.keys()) rmSync(inRoot(path));
  for (const { url, contents } of files.values()) {
    mkdirSync(dirname(inRoot(builtFile(url))), { recursive: true });
    writeFileSync(inRoot(builtFile(url)), contents);
  }
  replaceManifest(manifest, (url) => filesOf(groupOf.get(builtFile(url)), files));
}

/** What the compiler says of each script: `{exports, imports}` by path. */
function readScripts() {
  const { outputs } = JSON.parse(readFileSync(inRoot("build", "metafile.js.json"), "utf8"));
  const loadedAtOnce = (imports) => imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => path);
  return new Map(
    Object.entries(outputs)
      .filter(([path]) => path.endsWith(".js"))
      .map(([path, { exports, imports }]) => [path, { exports, imports: loadedAtOnce(imports) }]),
  );
}

const modulesOf = ({ entry, routes }) => [entry, ...Object.values(routes)].map(({ module }) => builtFile(module));

/**
 * The scripts of each group, by its name. What the entry needs is the framework. What hydrated pages need lies with the
 * innermost step that all of them have in common: root, layout, section, page. So groups import only outwards.
 * Routes that no browser runs stay by themselves, and what only they share goes together.
 */
function groupsOf(scripts, manifest) {
  const neededBy = (path, found = new Set()) => {
    if (found.has(path)) return found;
    found.add(path);
    for (const other of scripts.get(path).imports) neededBy(other, found);
    return found;
  };
  const places = new Map();
  for (const line of hydratedPages(manifest)) {
    const ids = line.map(({ id }) => id);
    const steps = [...ids.slice(0, -1), sectionOf(ids), ...ids.slice(-1)];
    for (const { id, module } of line) {
      const here = steps.slice(0, steps.indexOf(id) + 1);
      for (const path of neededBy(builtFile(module))) places.set(path, commonSteps(places.get(path) ?? here, here));
    }
  }
  if (places.size === 0) throw new Error("No route says that its pages are hydrated");

  const entry = builtFile(manifest.entry.module);
  const framework = neededBy(entry);
  const routeOf = new Map(Object.values(manifest.routes).map(({ id, module }) => [builtFile(module), id]));
  const groups = new Map();
  for (const path of scripts.keys()) {
    const outermost = path === entry ? "entry.client" : framework.has(path) && "framework";
    const name = outermost || (places.get(path)?.at(-1) ?? routeOf.get(path) ?? "_shared/documents");
    groups.set(name, [...(groups.get(name) ?? []), path]);
  }
  return groups;
}

/** `routes/_admin.admin.submissions.$submissionId` lies in the section `_shared/admin.submissions`. */
function sectionOf(ids) {
  const [layout, page] = ids.slice(-2);
  const [area, noun = ""] = page.replace(`${layout}.`, "").split(".");
  return `_shared/${area}.${noun.replace(/_$/, "")}`;
}

/** The steps with which both begin. */
function commonSteps(left, right) {
  const parting = left.findIndex((step, place) => step !== right[place]);
  return parting === -1 ? left : left.slice(0, parting);
}

/** Bundles each group to one file: `{url, contents, imports}` by name, the imports being names of groups. */
async function compile({ scripts, groups, groupOf, modules }) {
  const [{ build }, { minify }] = await Promise.all([import("esbuild"), import("vite")]);
  const passedOn = passOn(scripts, groupOf);
  const files = new Map();

  /** A group comes after those it imports, because their names contain a hash. */
  const add = async (name, waiting) => {
    if (files.has(name)) return;
    if (waiting.includes(name)) throw new Error(`Scripts import in a circle: ${[...waiting, name].join(" → ")}`);
    const members = groups.get(name);
    const imports = new Set(members.flatMap((path) => scripts.get(path).imports).map((path) => groupOf.get(path)));
    imports.delete(name);
    for (const other of imports) await add(other, [...waiting, name]);
    const bundled = await build({
      absWorkingDir: inRoot(),
      stdin: { contents: sourceOf(members, { scripts, modules, passedOn }), resolveDir: inRoot() },
      bundle: true,
      minify: true,
      format: "esm",
      legalComments: "none",
      // Our package.json says that its files have no side effects; that is not true of compiled ones.
      ignoreAnnotations: true,
      define: SETTLED,
      plugins: [otherGroups(name, { groupOf, passedOn, files })],
      write: false,
    });
    // React and the router come out four percent smaller than esbuild alone makes them.
    const { code } = await minify(`${name}.js`, bundled.outputFiles[0].text, { module: true });
    const hash = createHash("sha256").update(code).digest("hex").slice(0, 8).toUpperCase();
    // The platform answers an address with a character like "$" in it by a redirect to the one that has "%24".
    const stem = name.replaceAll(/[^\w./-]/g, "_");
    files.set(name, { url: `${remixConfig.publicPath}${stem}-${hash}.js`, contents: code, imports });
  };
  for (const name of groups.keys()) await add(name, []);
  return files;
}

/** What other groups import from each script: by its own name, the name that is unique in the group's file. */
function passOn(scripts, groupOf) {
  const passedOn = new Map([...scripts.keys()].map((path) => [path, new Map()]));
  const counts = new Map();
  for (const path of scripts.keys()) {
    for (const [, list, url] of readFileSync(inRoot(path), "utf8").matchAll(/\bimport\{([^}]*)\}from"([^"]+)"/g)) {
      const from = builtFile(url);
      const group = groupOf.get(from);
      if (!group || group === groupOf.get(path)) continue;
      for (const name of list.split(",").map((item) => item.split(" as ")[0].trim())) {
        if (passedOn.get(from).has(name)) continue;
        const count = counts.get(group) ?? 0;
        counts.set(group, count + 1);
        passedOn.get(from).set(name, `$${count.toString(36)}`);
      }
    }
  }
  return passedOn;
}

/** A route's file keeps the exports of the route; besides, every member passes on what others want of it. */
function sourceOf(members, { scripts, modules, passedOn }) {
  return members
    .map((path) => {
      const own = modules.includes(path) ? scripts.get(path).exports : [];
      const names = [...own, ...[...passedOn.get(path)].map(([name, unique]) => `${name} as ${unique}`)];
      return `import "./${path}";\nexport { ${names.join(", ")} } from "./${path}";`;
    })
    .join("\n");
}

/** Leads imports between members to the scripts, and all others to the file of the group that the script went into. */
function otherGroups(name, { groupOf, passedOn, files }) {
  return {
    name: "other-groups",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${remixConfig.publicPath}.*\\.js$`) }, ({ path: url, namespace }) => {
        if (namespace === "other-group") return { path: url, external: true };
        const path = builtFile(url);
        return groupOf.get(path) === name ? { path: inRoot(path) } : { path, namespace: "other-group" };
      });
      onLoad({ filter: /.*/, namespace: "other-group" }, ({ path }) => {
        const names = [...passedOn.get(path)].map(([own, unique]) => `${unique} as ${own}`);
        return { contents: `export { ${names.join(", ")} } from "${files.get(groupOf.get(path)).url}";` };
      });
    },
  };
}

/** A group's own file, and those of all groups below it. */
function filesOf(name, files) {
  const imports = new Set();
  const collect = (group) => {
    for (const other of files.get(group).imports) {
      imports.add(files.get(other).url);
      collect(other);
    }
  };
  collect(name);
  return { module: files.get(name).url, imports: [...imports] };
}

/** In both copies: the browser's file, and the constant in the server's build. */
function replaceManifest({ entry, routes, url }, filesAt) {
  const loaded = (route) => {
    const { module, imports } = filesAt(route.module);
    return [module, ...imports];
  };
  const renamed = (route) => {
    const around = [entry, ...lineOf(route, routes).slice(0, -1)].flatMap(loaded);
    const { module, imports } = filesAt(route.module);
    return { ...route, module, imports: imports.filter((file) => !around.includes(file)) };
  };
  const named = {
    entry: filesAt(entry.module),
    routes: Object.fromEntries(Object.values(routes).map((route) => [route.id, renamed(route)])),
  };
  const server = inRoot(remixConfig.serverBuildPath);
  const text = readFileSync(server, "utf8");
  // Pages are kept by version. What only the server's code has changed, such as a policy, makes a new one too.
  const version = createHash("sha256").update(JSON.stringify(named)).update(text).digest("hex").slice(0, 8);
  const manifest = { ...named, version, url: `${remixConfig.publicPath}manifest-${version.toUpperCase()}.js` };
  rmSync(inRoot(builtFile(url)));
  writeFileSync(inRoot(builtFile(manifest.url)), `window.__remixManifest=${JSON.stringify(manifest)};`);

  const constant = /^var assets_manifest_default = \{.*\};$/m;
  if (!constant.test(text)) throw new Error("The server's build does not hold its list of scripts where expected");
  writeFileSync(
    server,
    text.replace(constant, () => `var assets_manifest_default = ${JSON.stringify(manifest)};`),
  );
}
