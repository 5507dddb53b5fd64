/*
 * Loaded into the programs we start (`--import`): asks the program to end when the process that started it is gone,
 * however it went. Without it a launcher that was killed outright would leave a server behind.
 */
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, "SIGTERM");
  }, 500).unref();
}
