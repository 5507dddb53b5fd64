/*
 * Joins groups of script chunks, so that no page loads more than a few files. A group is the pages that need it, the
 * chunks in it and their size.
 */

/** Groups chunks by the set of pages that need them. */
export function groupsByPages(needing) {
  const groups = new Map();
  for (const [chunk, pages] of needing) {
    const key = [...pages].sort().join(" ");
    const group = groups.get(key) ?? { pages, members: new Set(), bytes: 0 };
    group.members.add(chunk);
    group.bytes += chunk.code.length;
    groups.set(key, group);
  }
  return [...groups.values()];
}

/**
 * Joins groups until no page needs more than `most` of them, each time the two that add the fewest bytes to pages that
 * do not need them. Two are not joined where their files would import in a circle, or where a page that needs the one
 * would load what only the other imports: `isLoaded` tells whether a page loads a chunk outside of all groups anyway.
 */
export function joinGroups(groups, { chunks, most, isLoaded }) {
  let left = groups;
  for (let crowded = crowdedPages(left, most); crowded.size > 0; crowded = crowdedPages(left, most)) {
    const next = cheapestJoin(left, crowded, { chunks, isLoaded });
    if (!next) throw new Error("The browser's scripts cannot be joined to fewer files");
    left = [...left.filter((group) => !next.parts.includes(group)), next.group];
  }
  return left;
}

/** Returns the pages that need more groups than they may. */
function crowdedPages(groups, most) {
  const counts = new Map();
  for (const { pages } of groups) for (const page of pages) counts.set(page, (counts.get(page) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > most).map(([page]) => page));
}

/** Returns the cheapest join of two groups that a crowded page needs. */
function cheapestJoin(groups, crowded, { chunks, isLoaded }) {
  const pairs = groups.flatMap((one, index) => groups.slice(index + 1).map((other) => [one, other]));
  return pairs
    .filter((parts) => [...crowded].some((page) => parts.every(({ pages }) => pages.has(page))))
    .map((parts) => ({ parts, group: joinOf(parts), cost: costOf(parts) }))
    .sort((left, right) => left.cost - right.cost)
    .find(
      ({ parts, group }) =>
        !isCircular(groups, { parts, group, chunks }) && loadsNoMore(groups, { group, chunks, isLoaded }),
    );
}

const joinOf = ([one, other]) => ({
  pages: new Set([...one.pages, ...other.pages]),
  members: new Set([...one.members, ...other.members]),
  bytes: one.bytes + other.bytes,
});

/** Returns the bytes that pages would load without needing them. */
const costOf = ([one, other]) =>
  without(other.pages, one.pages).length * one.bytes + without(one.pages, other.pages).length * other.bytes;

/** Returns the values of a set that another does not have. */
const without = (set, other) => [...set].filter((value) => !other.has(value));

/** Tells whether no page that needs a joined group would load more of what is in no group. */
function loadsNoMore(groups, { group, chunks, isLoaded }) {
  const grouped = new Set(groups.flatMap(({ members }) => [...members]));
  const single = importsOf(group.members, chunks).filter((chunk) => !grouped.has(chunk));
  return single.every((chunk) => [...group.pages].every((page) => isLoaded(chunk, page)));
}

/** Returns the chunks that the members of a group import, themselves left out. */
const importsOf = (members, chunks) =>
  [...members].flatMap((chunk) => chunk.imports.map((name) => chunks.get(name))).filter((chunk) => !members.has(chunk));

/** Tells whether a joined group would import another that imports it. */
function isCircular(groups, { parts, group, chunks }) {
  const others = groups.filter((one) => !parts.includes(one));
  const reached = new Set();
  const queue = importsOf(group.members, chunks);
  for (let chunk = queue.pop(); chunk; chunk = queue.pop()) {
    if (group.members.has(chunk)) return true;
    if (reached.has(chunk)) continue;
    const own = others.find(({ members }) => members.has(chunk))?.members ?? new Set([chunk]);
    for (const member of own) reached.add(member);
    queue.push(...importsOf(own, chunks));
  }
  return false;
}
