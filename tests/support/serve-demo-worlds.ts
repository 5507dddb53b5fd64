import { cpSync, rmSync } from "node:fs";
import path from "node:path";
import { bundleWorkerIfChanged } from "../../scripts/lib/build-app.mjs";
import { localSecrets } from "../../scripts/lib/local-secrets.mjs";
import { localVariables } from "../../scripts/lib/local-server.mjs";
import { withLock } from "../../scripts/lib/locks.mjs";
import { prepare } from "../../scripts/lib/prepare.mjs";
import { startWorkerServer } from "./worker-server";

/** Clears what a person may have set for a server of their own. */
const UNSET = { APP_ORIGIN: "", MAIL_PROVIDER: "", TURNSTILE_SITE_KEY: "", LIVE_MAX_SOCKETS: "" };

const MINUTE = 60_000;

/**
 * Serves the demo world to each worker of Playwright, a copy to each, until the function is called that it returns. The
 * world is made once. As `npm start` does, it runs the schedule at the start and each minute.
 */
export default async function serveDemoWorlds() {
  const { ports, state } = JSON.parse(process.env.BROWSER_TESTS ?? "") as { ports: number[]; state: string };
  const [first = "", ...copies] = ports.map((port) => path.join(state, String(port)));
  Object.assign(process.env, UNSET, { STATE_DIR: first, SEED: "demo" });
  await withLock(async () => {
    await prepare();
    await bundleWorkerIfChanged();
  });
  for (const copy of copies) cpSync(first, copy, { recursive: true });

  const servers = await Promise.all(
    ports.map((port) =>
      startWorkerServer({
        bindings: { ...localVariables(port), ...localSecrets() },
        port,
        state: path.join(state, String(port)),
        runsScheduleOnRequest: true,
      }),
    ),
  );
  const runSchedules = () => Promise.all(servers.map((server) => server.runScheduledJobs()));
  await runSchedules();
  let lastRun: Promise<unknown> = Promise.resolve();
  const schedule = setInterval(() => {
    // A failed run is recorded by the worker itself.
    lastRun = runSchedules().catch(() => undefined);
  }, MINUTE);
  return async () => {
    clearInterval(schedule);
    await lastRun;
    await Promise.all(servers.map((server) => server.close()));
    rmSync(state, { recursive: true, force: true });
  };
}
