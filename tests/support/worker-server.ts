import path from "node:path";
import { convertV4MiniflareOptions, Miniflare, NoOpLog, type V4MiniflareOptions } from "miniflare";
import { loadWrangler } from "../../scripts/lib/toolchain.mjs";

const root = path.resolve(import.meta.dirname, "../..");

type Settings = {
  /** Holds variables and secrets, in place of those of wrangler.toml. */
  bindings: Record<string, string>;
  /** Any free one without it. */
  port?: number;
  /** Names the folder of what is stored. Without it nothing is, and nothing stays. */
  state?: string;
  /** Lets a request run the schedule: `/cdn-cgi/local/scheduled`. */
  runsScheduleOnRequest?: boolean;
};

/**
 * Starts the worker that `scripts/test.mjs` has built into `dist/`, with the bindings of wrangler.toml. Not by
 * wrangler's harness, nor by `wrangler dev`: they have a worker of their own receive each request and pass it on, which
 * takes half as long again.
 */
export async function startWorkerServer({ bindings, port = 0, state, runsScheduleOnRequest }: Settings) {
  const { unstable_getMiniflareWorkerOptions, unstable_readConfig } = loadWrangler();
  const config = unstable_readConfig({ config: path.join(root, "wrangler.toml") });
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  let logs: { level: string; message: string }[] = [];
  const options = convertV4MiniflareOptions({
    host: "127.0.0.1",
    port,
    cf: false,
    log: new NoOpLog(),
    handleStructuredLogs: (log) => logs.push(log),
    unsafeTriggerHandlers: runsScheduleOnRequest,
    ...(state && { resourcePersistencePath: path.join(state, "v3") }),
    workers: [
      {
        ...workerOptions,
        name: config.name,
        modules: [{ type: "ESModule", path: path.join(root, "dist/worker.js") }],
        modulesRoot: path.join(root, "dist"),
        bindings: { ...(config.vars as Record<string, string>), ...bindings },
      },
      // Its socket leads to the product, past the four workers by which Miniflare looks for a public file first.
      {
        name: "past-files",
        modules: true,
        script: "export default {}",
        unsafeDirectSockets: [{ host: "127.0.0.1", port: 0, serviceName: config.name }],
      },
    ],
  } as V4MiniflareOptions);
  const server = new Miniflare(options);
  const url = await server.ready;
  return {
    port: Number(url.port),
    portPastFiles: Number((await server.unsafeGetDirectURL("past-files")).port),
    fetch: (...request: Parameters<Miniflare["dispatchFetch"]>) => server.dispatchFetch(...request),
    getEnv: <Bindings>() => server.getBindings<Bindings>(),
    runScheduledJobs: async () => (await server.getWorker()).scheduled({ cron: "* * * * *" }),
    /** Starts the worker anew, with what is stored: nothing of its memory is left. */
    restart: () => server.setOptions(options),
    getLogs: () => logs,
    clearLogs: () => {
      logs = [];
    },
    close: () => server.dispose(),
  };
}
