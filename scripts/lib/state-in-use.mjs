import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "./child-process.mjs";
import { stateDir } from "./local-state.mjs";

/**
 * Keeps the folder of local data for this command until it ends. Two servers on one database would each believe that
 * nobody else writes, and a database that is filled from outside changes under the server that has it open.
 */
export function keepStateToOurselves() {
  const mark = join(stateDir, "in-use");
  mkdirSync(stateDir, { recursive: true });
  const owner = ownerOf(mark);
  if (owner) {
    throw new Error(
      `${stateDir} is in use by another command (process ${owner}). Stop it, or set STATE_DIR to another folder.`,
    );
  }
  writeFileSync(mark, String(process.pid));
  process.once("exit", () => {
    if (ownerOf(mark) === null) rmSync(mark, { force: true });
  });
}

/** The running process that has the folder, if it is another one than this. */
function ownerOf(mark) {
  try {
    const pid = Number(readFileSync(mark, "utf8"));
    return pid !== process.pid && isAlive(pid) ? pid : null;
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}
