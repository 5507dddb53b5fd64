import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isAlive, pause } from "./child-process.mjs";
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
 * Does some work that must not be done twice at the same time, and throws when another command of this checkout is at
 * it. It may take as long as it takes.
 */
export async function alone(name, work) {
  const lock = inRoot(".wrangler", name);
  mkdirSync(inRoot(".wrangler"), { recursive: true });
  if (!take(lock)) {
    const owner = Number(readFileSync(lock, "utf8"));
    if (owner && isAlive(owner))
      throw new Error(`This is already ${name} (process ${owner}). Wait until it has ended.`);
    rmSync(lock, { force: true });
    if (!take(lock)) throw new Error(`This is already ${name}. Wait until it has ended.`);
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
