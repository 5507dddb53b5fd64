/* Which chunks of the browser's scripts import which. */

/** Returns the chunk of an entry. */
export function chunkOf(chunks, entry) {
  const chunk = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId === entry);
  if (!chunk) throw new Error(`The browser's scripts lack ${entry}`);
  return chunk;
}

/** Returns a chunk with all that it imports, directly or not. */
export function withImports(chunk, chunks, found = new Set()) {
  if (found.has(chunk)) return found;
  found.add(chunk);
  for (const name of chunk.imports) withImports(chunks.get(name), chunks, found);
  return found;
}

/**
 * Returns the chunks that no script imports at its start: those that a page asks for later, and what only they need.
 */
export function loadedLater(chunks) {
  const all = [...chunks.values()];
  const atStart = new Set();
  for (const chunk of all) if (chunk.isEntry) withImports(chunk, chunks, atStart);
  return new Set(all.filter((chunk) => !atStart.has(chunk)));
}
