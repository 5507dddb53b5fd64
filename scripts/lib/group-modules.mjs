import { chunkOf, loadedLater, withImports } from "./chunk-imports.mjs";
import { hydratedPages } from "./client-manifest.mjs";
import { entryFile, FRAMEWORK_ENTRY, routeEntry } from "./client-modules.mjs";
import { groupsByPages, joinGroups } from "./join-groups.mjs";

/**
 * Sets how many pages are few: what so few of several sections share is not loaded by all the others of their layout.
 */
const FEW = 5;

/** Limits the files that a page loads of what pages of several sections share. */
const SHARED_FILES = 5;

/** Names a module that every page with a list has. */
const LIST_PART = "app/lists/ui/list-panel.tsx";

/** Names the group of what lists share. */
const LISTS = "_shared/lists";

/** Sets how many bytes, before they are made small, are too few to load the script of all lists for. */
const LITTLE = 2_000;

/**
 * Names the group of what some pages of several sections share: which of them goes together is decided for all at once.
 */
const SOME_PAGES = "_shared/some";

/**
 * Returns the group of each module. What the entry needs is the framework. What hydrated pages need belongs to the
 * innermost step that all of them have in common: root, layout, section, page. So groups import only outwards. What
 * only lists share goes together, unless few of them do; so does what all of them and a few other pages share, unless
 * one of these needs little of it; and what few pages of several sections share, or only pages without a list: in as
 * few files as a page may load. Routes that no browser runs stay by themselves, and what only they share goes together.
 */
export function groupsOf(chunks, manifest) {
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
  keepLittleInRoot(groups, pages, listPages);
  keepInRoot(groups, chunks);
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
  if (needing.length > FEW && needing.every((page) => listPages.has(page))) return LISTS;
  if (home.startsWith("_shared/")) return home;
  const others = needing.filter((page) => !listPages.has(page)).length;
  if (needing.length - others === listPages.size && others < listPages.size / 2) return LISTS;
  const hasList = needing.some((page) => listPages.has(page));
  return needing.length <= FEW || (home !== "root" && !hasList) ? SOME_PAGES : home;
}

/** Leaves in the root's script the little for which alone a page without a list would load the script of all lists. */
function keepLittleInRoot(groups, pages, listPages) {
  const ofLists = [...groups.keys()].filter((chunk) => groups.get(chunk) === LISTS);
  const others = new Set(ofLists.flatMap((chunk) => [...pages.get(chunk)]).filter((page) => !listPages.has(page)));
  for (const page of others) {
    const needed = ofLists.filter((chunk) => pages.get(chunk).has(page));
    const bytes = needed.reduce((sum, { code }) => sum + code.length, 0);
    if (bytes < LITTLE) for (const chunk of needed) groups.set(chunk, "root");
  }
}

/** Leaves in the root's script what another part of that imports: it would be loaded with every page all the same. */
function keepInRoot(groups, chunks) {
  const inRoot = [...groups.keys()].filter((chunk) => groups.get(chunk) === "root");
  for (const chunk of inRoot.flatMap((one) => [...withImports(one, chunks)])) {
    if (groups.get(chunk) === LISTS) groups.set(chunk, "root");
  }
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
