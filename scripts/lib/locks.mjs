import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive, pause } from "./child-process.mjs";
import { stateDir } from "./local-state.mjs";
import { inRoot } from "./toolchain.mjs";

/** Sets the time after which a lock counts as left behind, in milliseconds. */
const LOCK_TIMEOUT = 10 * 60_000;

/**
 * Does some work while no other command of this checkout does any: packages, build and default ports are shared, so
 * that two starts prepare one after the other.
 */
export async function withLock(work) {
  const lock = inRoot(".wrangler", "preparing");
  mkdirSync(inRoot(".wrangler"), { recursive: true });
  while (!take(lock)) {
    if (isLeftBehind(lock)) rmSync(lock, { force: true });
    else await pause(200);
  }
  const release = () => rmSync(lock, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function isLeftBehind(lock) {
  try {
    return !isAlive(Number(readFileSync(lock, "utf8"))) || Date.now() - statSync(lock).mtimeMs > LOCK_TIMEOUT;
  } catch {
    // It was removed this very moment.
    return false;
  }
}

/**
 * Deploys or restores, and throws when another command of this checkout is at it. The lock is one of SQLite on an empty
 * file: the system releases it when the process ends, however it ends, so none is ever left behind.
 */
export async function alone(work) {
  mkdirSync(inRoot(".wrangler"), { recursive: true });
  const { DatabaseSync } = await import("node:sqlite");
  const lock = new DatabaseSync(inRoot(".wrangler", "deploying.sqlite"));
  try {
    try {
      lock.exec("begin exclusive");
    } catch (error) {
      if (!error.message.includes("locked")) throw error;
      throw new Error("Another command of this checkout deploys or restores at this moment. Wait until it has ended.");
    }
    return await work();
  } finally {
    lock.close();
  }
}

/**
 * Keeps the folder of local data for this command until it ends. Two servers on one database would each believe that
 * nobody else writes, and a database that is filled from outside changes under the server that has it open. `remedy`:
 * what a person may do who finds it in use.
 */
export function lockState(state = stateDir, remedy = "Stop it, or set STATE_DIR to another folder.") {
  const lock = join(state, "in-use");
  mkdirSync(state, { recursive: true });
  const owner = ownerOf(lock);
  if (owner) {
    throw new Error(`${state} is in use by another command (process ${owner}). ${remedy}`);
  }
  writeFileSync(lock, String(process.pid));
  process.once("exit", () => {
    if (ownerOf(lock) === null) rmSync(lock, { force: true });
  });
}

function ownerOf(lock) {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    return pid !== process.pid && isAlive(pid) ? pid : null;
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}
