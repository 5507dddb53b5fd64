/*
 * Loaded into the programs we start (`--import`): asks the program to end when the process that started it is gone,
 * however it went. Without it a launcher that was killed outright would leave a server behind. Started by itself, it
 * ends the processes whose ids it is given, which load nothing.
 */
import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const parent = process.ppid;
  const others = process.argv[1] === fileURLToPath(import.meta.url) ? process.argv.slice(2).map(Number) : null;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    for (const pid of others ?? [process.pid]) {
      try {
        process.kill(pid, "SIGTERM");
      } catch {
        // It has ended by itself.
      }
    }
  }, 500);
  if (!others) watch.unref();
}
