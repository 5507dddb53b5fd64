import { spawn } from "node:child_process";
import { lookup } from "node:dns/promises";
import { createServer } from "node:net";
import { pathToFileURL } from "node:url";
import { pause } from "./child-process.mjs";
import { stateDir } from "./local-state.mjs";
import { inRoot, startTool } from "./toolchain.mjs";

export const DEFAULT_PORT = 8787;
const LAST_DEFAULT_PORT = 8806;
const START_TIMEOUT = 60_000;
/** Limits how long a start waits for the first scheduled event. */
const FIRST_EVENT_TIMEOUT = 5_000;

/** Names the variables that are handed to the worker as they are when they are set. */
const PASSED_ON = [
  "MAIL_API_URL",
  "MAIL_API_KEY",
  "MAIL_INBOUND_DOMAIN",
  "MAIL_DKIM_SELECTOR",
  "MAIL_DAILY_LIMIT",
  "DNS_API_URL",
  "TURNSTILE_SITE_KEY",
  "TURNSTILE_SECRET",
  "TURNSTILE_VERIFY_URL",
  "BACKUP_PUBLIC_KEY",
  "BACKUP_FETCH_KEY",
  "LIVE_MAX_SOCKETS",
];

/**
 * Decides where to serve. A port asked for by name must be free; the default one is replaced by the next free one. `ip`
 * is `localhost` where that means every loopback address of the machine, so that 127.0.0.1 and ::1 both answer.
 */
export async function chooseAddress() {
  const loopbacks = await usableLoopbacks();
  const ip = loopbacks.every(({ usable }) => usable) && process.platform !== "win32" ? "localhost" : "127.0.0.1";
  const addresses = ip === "localhost" ? loopbacks.map(({ address }) => address) : ["127.0.0.1"];
  const isFree = async (port) => {
    for (const address of addresses) if (!(await canListen(port, address))) return false;
    return true;
  };
  const wanted = process.env.PORT;
  if (wanted) {
    const port = Number(wanted);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`PORT=${wanted} is not a port number.`);
    if (await isFree(port)) return { ip, port };
    throw new Error(`Port ${port} is in use. Stop what is using it, or set PORT to another one.`);
  }
  for (let port = DEFAULT_PORT; port <= LAST_DEFAULT_PORT; port += 1) if (await isFree(port)) return { ip, port };
  throw new Error(`Ports ${DEFAULT_PORT} to ${LAST_DEFAULT_PORT} are all in use. Set PORT to a free one.`);
}

/**
 * Looks up what `localhost` stands for. A hosts file may list ::1 on a machine without IPv6: then it cannot be used.
 */
async function usableLoopbacks() {
  const found = await lookup("localhost", { all: true }).catch(() => []);
  const addresses = new Set(["127.0.0.1", ...found.map(({ address }) => address)]);
  const namesIpv4 = found.some(({ address }) => address === "127.0.0.1");
  return Promise.all(
    [...addresses].map(async (address) => ({ address, usable: namesIpv4 && (await canListen(0, address)) })),
  );
}

/** Returns a port that nothing listens on right now. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function canListen(port, address) {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen({ port, host: address, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Returns the worker's variables while it runs here, in place of those of `wrangler.toml`. */
export function localVariables(port) {
  const variables = {
    APP_ENV: "local",
    APP_ORIGIN: process.env.APP_ORIGIN || `http://localhost:${port}`,
    MAIL_PROVIDER: process.env.MAIL_PROVIDER || "capture",
    // That of MAIL_FROM: whether mail arrives there can be tried here, too.
    MAIL_INBOUND_DOMAIN: "wrenfield.example",
  };
  for (const name of PASSED_ON) if (process.env[name]) variables[name] = process.env[name];
  return variables;
}

/** Returns the arguments for `wrangler dev`: the production configuration with local variables and local state. */
export async function workerArguments({ ip, port, logLevel }) {
  return [
    "dev",
    ...["--persist-to", stateDir, "--ip", ip, "--port", String(port), "--inspector-port", String(await freePort())],
    ...(logLevel ? ["--log-level", logLevel] : []),
    "--show-interactive-dev-session=false",
    // Else requests seem to come for the host that the deployed worker is routed to.
    "--infer-origin-from-routes=false",
    ...Object.entries(localVariables(port)).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ];
}

/** Returns the variables for the server by which it ends when we do, even when we are killed outright. */
export function serverEnvironment(nodeEnv) {
  const guard = `--import=${pathToFileURL(inRoot("scripts", "lib", "end-with-parent.mjs")).href}`;
  return { NODE_ENV: nodeEnv, NODE_OPTIONS: [process.env.NODE_OPTIONS, guard].filter(Boolean).join(" ") };
}

/**
 * Serves the built worker in the local runtime. Its warnings and errors are passed on from the moment it answers; what
 * it says before is shown only when it fails to start. Resolves when `/healthz` answers 200.
 */
export async function startWorker(address) {
  const args = await workerArguments({ ...address, logLevel: "warn" });
  const options = { env: serverEnvironment("production"), stdio: ["ignore", "pipe", "pipe"] };
  const child = await startTool("wrangler", args, options);
  let said = "";
  let isReady = false;
  const listen = (from, to) =>
    from.on("data", (chunk) => {
      if (isReady) to.write(chunk);
      else said += chunk;
    });
  listen(child.stdout, process.stdout);
  listen(child.stderr, process.stderr);
  await answersOn(address.port, child, () => said);
  isReady = true;
  return child;
}

/** Waits until `/healthz` answers 200. Throws when the process ends before, or after a minute. */
export async function answersOn(port, child, said = () => "") {
  let last = "no answer";
  for (const deadline = Date.now() + START_TIMEOUT; Date.now() < deadline; await pause(50)) {
    if (child.exitCode !== null) throw new Error(`The server stopped while starting:\n${said()}`);
    try {
      const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(5_000) });
      last = `${response.status} ${await response.text()}`;
      if (response.status === 200) return;
    } catch (error) {
      last = String(error.cause ?? error);
    }
  }
  throw new Error(`The server did not become ready. GET /healthz: ${last}\n${said()}`);
}

/**
 * Fires a scheduled event each minute, as the platform does. The local runtime does not, so that a mail that failed
 * would wait for ever. Resolves when the first one has ended: it publishes the settings of the demo company to its
 * pages.
 */
async function fireScheduledEvents(port) {
  const url = `http://127.0.0.1:${port}/cdn-cgi/handler/scheduled?cron=*+*+*+*+*`;
  // A failed run is recorded by the worker itself; a server that is stopping is none of our business.
  const fire = () => fetch(url).catch(() => undefined);
  setInterval(fire, 60_000).unref();
  await Promise.race([fire(), pause(FIRST_EVENT_TIMEOUT)]);
}

/** Says where a server that answers is, opens it in a browser, runs its schedule, and ends this command with it. */
export async function announceServer({ port, server, shutDown }) {
  server.once("exit", (code) => shutDown(code ?? 1));
  await fireScheduledEvents(port);
  const address = `http://localhost:${port}`;
  console.log(`Ready: ${address}`);
  openInBrowser(address);
}

/** Shows the page in the person's browser when OPEN_BROWSER=1. That it cannot be shown is no failure. */
function openInBrowser(url) {
  if (process.env.OPEN_BROWSER !== "1") return;
  const commands = { darwin: ["open", url], win32: ["explorer", url] };
  const [command, ...args] = commands[process.platform] ?? ["xdg-open", url];
  spawn(command, args, { stdio: "ignore", detached: true })
    .on("error", () => undefined)
    .unref();
}
