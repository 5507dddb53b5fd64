import { readFileSync } from "node:fs";
import { descendants } from "../child-process.mjs";

const SAMPLE_MS = 10;
const MEGABYTE = 1024 ** 2;
const FILE = "/admin/exports/submissions.csv";

/**
 * Measures what exporting all submissions costs, with `session` signed in as an admin a moment ago: how soon it begins,
 * how long it takes, and by how much the worker's memory grows at most while it runs. A stream that keeps what it has
 * sent makes it grow with the rows. `pid` is the process the server was started as: the worker's runtime is found below
 * it. Memory is null where /proc is not.
 */
export async function exportCost(session, { pid, size }) {
  // A short one first: what the runtime loads once is no cost of the rows.
  await (await session.send(`${FILE}?q=nobody+at+all`)).text();
  const memory = watchMemory(pid);
  const started = performance.now();
  const response = await session.send(FILE);
  if (response.status !== 200) throw new Error(`The export answered ${response.status}`);
  let firstByte = 0;
  let bytes = 0;
  for await (const chunk of response.body) {
    firstByte ||= performance.now() - started;
    bytes += chunk.length;
  }
  const seconds = (performance.now() - started) / 1000;
  return {
    submissions: size,
    "first byte ms": Math.round(firstByte),
    seconds: Number(seconds.toFixed(1)),
    megabytes: Number((bytes / MEGABYTE).toFixed(1)),
    "memory +MB at most": memory.stop(),
  };
}

/** Samples the resident memory of all worker runtimes below a process until it is stopped. */
function watchMemory(pid) {
  const runtimes = descendants(pid).filter((id) => readProc(id, "comm").includes("workerd"));
  const measure = () => runtimes.reduce((sum, id) => sum + residentKilobytes(id) / 1024, 0);
  const before = measure();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, measure());
  }, SAMPLE_MS);
  return {
    stop: () => {
      clearInterval(timer);
      return runtimes.length === 0 ? null : Math.round(Math.max(most, measure()) - before);
    },
  };
}

const residentKilobytes = (pid) => Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, "status"))?.[1] ?? 0);

/** Returns nothing for a process that has ended between two samples. */
function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
