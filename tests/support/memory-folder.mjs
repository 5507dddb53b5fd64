import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";

const MEMORY = "/dev/shm";
/** Says how much room there must be, in bytes: containers often have 64 MB. */
const ROOM = 1e9;

/**
 * Has temporary files of this process and of those that it starts lie in memory, where the system offers that: there
 * databases do not wait for the disk at each commit, which took half of the time. They go with this process.
 */
export function keepTemporaryFilesInMemory() {
  if (!existsSync(MEMORY) || process.env.TMPDIR?.startsWith(MEMORY)) return;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < ROOM) return;
  const folder = mkdtempSync(`${MEMORY}/wrenfield-`);
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}
