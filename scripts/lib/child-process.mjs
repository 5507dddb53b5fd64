/*
 * Starts other programs and, above all, ends them: however a command is stopped, nothing that it started may stay.
 * Without packages, because the first command runs before any is installed.
 */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const running = new Set();

/** Starts a program that is stopped when this process stops. It shares our process group: Ctrl-C reaches it anyway. */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { windowsHide: true, ...options });
  running.add(child);
  child.once("exit", () => running.delete(child));
  child.once("error", () => running.delete(child));
  return child;
}

/** Runs a program to its end, with `input` to read. Nothing is shown: `output` is what it wrote to both channels. */
export function capture(command, args, { input, ...options } = {}) {
  return new Promise((resolve) => {
    const stdin = input === undefined ? "ignore" : "pipe";
    const child = start(command, args, { stdio: [stdin, "pipe", "pipe"], ...options });
    child.stdin?.on("error", () => undefined).end(input);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.once("error", (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.once("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Resolves with the exit code of a program, when it has ended. */
export const exitOf = (child) => new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));

/** Limits how long a program may take to end by itself, in milliseconds. */
const STOP_TIMEOUT = 4_000;

/**
 * Ends a program and its descendants: by SIGTERM, and by SIGKILL if that takes too long. They are listed beforehand,
 * because children of a dead parent can no longer be found.
 */
export async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const family = [child.pid, ...descendants(child.pid)];
  child.kill("SIGTERM");
  const deadline = Date.now() + STOP_TIMEOUT;
  while (family.some(isAlive) && Date.now() < deadline) await pause(50);
  for (const pid of family.filter(isAlive)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended between the question and the signal.
    }
  }
}

/**
 * Lets SIGINT, SIGTERM, SIGHUP and the death of our parent end this process in good order. Returns the function that
 * does it, for an end of our own: it takes the exit code.
 */
export function stopWithParent() {
  let stopping = false;
  const shutDown = async (code) => {
    if (stopping) return;
    stopping = true;
    await Promise.all([...running].map((child) => stop(child)));
    process.exit(code);
  };
  process.on("SIGINT", () => shutDown(130));
  process.on("SIGTERM", () => shutDown(143));
  process.on("SIGHUP", () => shutDown(129));
  const before = ancestors();
  setInterval(() => {
    if (ancestors() !== before) shutDown(143);
  }, 500).unref();
  return shutDown;
}

/**
 * Returns the ids of the processes whose child we are. A killed npm passes no signal on; its children are adopted, and
 * that is the only sign. npm puts a shell between itself and us, so there the parent's parent counts too.
 */
function ancestors() {
  const beyond = process.env.npm_lifecycle_event ? statOf(process.ppid)?.parent : undefined;
  return `${process.ppid} ${beyond ?? ""}`;
}

export const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

/** Tells a dead process, which still answers to its id until it is collected, from a live one. On Linux only. */
function isZombie(pid) {
  return statOf(pid)?.state === "Z";
}

/** Returns the ids of all processes below one, read from /proc: slim systems have no `ps`. None on other systems. */
export function descendants(pid) {
  if (process.platform !== "linux") return [];
  const children = new Map();
  for (const name of readdirSync("/proc")) {
    const parent = /^\d+$/.test(name) ? statOf(name)?.parent : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (id) => (children.get(id) ?? []).flatMap((child) => [child, ...below(child)]);
  return below(pid);
}

/** Returns the command lines of the processes we were started by, the nearest first; none on Windows. */
export function commandLinesOfAncestors() {
  if (process.platform === "win32") return [];
  const lines = [];
  for (let pid = process.ppid; pid > 1 && lines.length < 10; ) {
    const found = process.platform === "linux" ? fromProc(pid) : fromPs(pid);
    if (!found) break;
    lines.push(found.line);
    pid = found.parent;
  }
  return lines;
}

function fromProc(pid) {
  const parent = statOf(pid)?.parent;
  if (parent === undefined) return null;
  return { parent, line: readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ") };
}

function fromPs(pid) {
  const { stdout } = spawnSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" });
  const [, parent, line] = /^\s*(\d+)\s+(.*)$/m.exec(stdout ?? "") ?? [];
  return line ? { parent: Number(parent), line } : null;
}

function statOf(pid) {
  if (process.platform !== "linux") return undefined;
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
