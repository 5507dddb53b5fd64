import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { isAlive, pause } from "./child-process.mjs";
import { inRoot } from "./toolchain.mjs";

/** Nobody takes longer than this: a mark that is older was left behind. */
const LONGEST_TURN = 10 * 60_000;

/**
 * Does some work while no other command of this checkout does any: packages, build and default ports are shared, so
 * two starts prepare one after the other.
 */
export async function withLock(work) {
  const mark = inRoot(".wrangler", "preparing");
  mkdirSync(inRoot(".wrangler"), { recursive: true });
  while (!isMine(mark)) {
    if (isLeftBehind(mark)) rmSync(mark, { force: true });
    else await pause(200);
  }
  const leave = () => rmSync(mark, { force: true });
  process.once("exit", leave);
  try {
    return await work();
  } finally {
    process.off("exit", leave);
    leave();
  }
}

function isMine(mark) {
  try {
    writeFileSync(mark, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function isLeftBehind(mark) {
  try {
    return !isAlive(Number(readFileSync(mark, "utf8"))) || Date.now() - statSync(mark).mtimeMs > LONGEST_TURN;
  } catch {
    // It was removed this very moment.
    return false;
  }
}
