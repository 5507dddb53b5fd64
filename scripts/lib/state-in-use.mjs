import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "./child-process.mjs";
import { stateDir } from "./local-state.mjs";

/**
 * Keeps the folder of local data for this command until it ends. Two servers on one database would each believe that
 * nobody else writes, and a database that is filled from outside changes under the server that has it open.
 */
export function lockState() {
  const lock = join(stateDir, "in-use");
  mkdirSync(stateDir, { recursive: true });
  const owner = ownerOf(lock);
  if (owner) {
    throw new Error(
      `${stateDir} is in use by another command (process ${owner}). Stop it, or set STATE_DIR to another folder.`,
    );
  }
  writeFileSync(lock, String(process.pid));
  process.once("exit", () => {
    if (ownerOf(lock) === null) rmSync(lock, { force: true });
  });
}

/** Returns the id of the running process that has the folder, or null when there is none but this one. */
function ownerOf(lock) {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    return pid !== process.pid && isAlive(pid) ? pid : null;
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}
