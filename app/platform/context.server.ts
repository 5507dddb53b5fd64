import { type Db, openDb } from "~/db/client.server";
import { describeError } from "~/lib/describe-error";
import { sortableId } from "~/lib/ids";
import type { Instant } from "~/lib/time";
import { type LivePublisher, livePublisher } from "~/live/publish.server";
import { newToken } from "./crypto.server";
import { type D1Cost, meteredD1, noCost } from "./d1.server";
import type { Bindings, Config } from "./env.server";
import { type Files, r2Files } from "./files.server";
import { type Log, log } from "./log.server";
import { type Mailer, mailerFor } from "./mailer.server";
import { clientAddress, networkOf } from "./network.server";
import type { ReadAsset } from "./page-styles.server";
import { parseCookies } from "./parse-cookies.server";
import { type SiteCopy, siteCopyOf } from "./site-copy.server";
import type { SubjectRegistry } from "./subjects.server";

/** Who a request comes from, as one read of the session ledger found it. */
export type SignedIn = {
  sessionHash: string;
  userId: string;
  email: string;
  fullName: string;
  role: "admin" | "moderator" | "user";
  /** 1 = password only, 2 = password and second factor. */
  aal: number;
  mfaEnabled: boolean;
  /** Since when an organization of theirs demands a second factor of them; null: none does. */
  mfaRequiredSince: Instant | null;
  mustChangePassword: boolean;
  /** Backup codes were made and the person has not said yet that they keep them. */
  codesUnsaved: boolean;
  /** When the person last proved who they are. */
  reauthAt: Instant;
  lastSeenAt: Instant;
};

/** Facts about the request, taken once at the door. Nobody else reads its headers. */
export type RequestFacts = {
  /** `cf-ray` or a random id; shown on error pages and written to logs and audit events. */
  id: string;
  method: string;
  url: URL;
  /** `CF-Connecting-IP` and nothing else. */
  ip: string;
  /** /32 for IPv4, /64 for IPv6: what limits per address count by. */
  network: string;
  userAgent: string;
  /** The address of the page that led here, as the browser tells it; empty when it does not. */
  referrer: string;
  cookies: ReadonlyMap<string, string>;
  /** For the Content-Security-Policy of this one response. */
  nonce: string;
};

/** The world of one request, job or socket: everything a command may depend on, passed in and never imported. */
export type Ctx = {
  config: Config;
  db: Db;
  /** Session payloads and the display copy of the site's settings; never asked for anything that decides. */
  kv: KVNamespace;
  /** The site's settings as everybody sees them. Read when first asked for; never fails. */
  siteCopy: () => Promise<SiteCopy>;
  files: Files;
  mailer: Mailer;
  live: LivePublisher;
  /** The hub objects themselves, only for handing a socket over. */
  hubs: Bindings["LIVE"];
  now: () => Instant;
  newId: (prefix: string) => string;
  newToken: () => string;
  /** Name, address and visibility of everything that can be written about. */
  subjects: SubjectRegistry;
  request: RequestFacts;
  signedIn: SignedIn | null;
  /** Identifies the build: part of cache keys and of `/healthz`. */
  build: string;
  /** A file of the build as text. */
  readAsset: ReadAsset;
  /** Work that may go on after the response was sent. It must never reject silently: errors are logged. */
  after: (work: Promise<unknown>) => void;
  /** Cookies to set on the way out, whatever the answer turns out to be. */
  setCookie: (header: string) => void;
  /** Hands an unexpected error to the worker's last resort, which decides between 500 and 503. */
  reportFailure: (error: unknown) => void;
  cost: D1Cost;
  log: Log;
};

type RequestInput = {
  env: Bindings;
  config: Config;
  subjects: SubjectRegistry;
  request: Request;
  siteCopy: Ctx["siteCopy"];
  waitUntil: (work: Promise<unknown>) => void;
  setCookie: (header: string) => void;
  reportFailure: (error: unknown) => void;
  build: string;
  requestId: string;
  nonce: string;
};

/** Builds the world for a request. Authentication reads must not come from a lagging replica: hence first-primary. */
export function requestContext({
  env,
  config,
  request,
  waitUntil,
  build,
  requestId,
  nonce,
  ...answers
}: RequestInput): Ctx {
  const ip = clientAddress(request);
  const facts: RequestFacts = {
    id: requestId,
    method: request.method,
    url: new URL(request.url),
    ip,
    network: networkOf(ip),
    userAgent: (request.headers.get("user-agent") ?? "").slice(0, 300),
    referrer: (request.headers.get("referer") ?? "").slice(0, 2_000),
    cookies: parseCookies(request.headers.get("cookie") ?? ""),
    nonce,
  };
  return { ...world(env, config, waitUntil, facts.id), ...answers, request: facts, build };
}

type BackgroundInput = Pick<RequestInput, "env" | "config" | "subjects" | "waitUntil">;

/** Builds the world for work that no person asked for: cron, inbound mail. */
export function backgroundContext({ env, config, subjects, waitUntil }: BackgroundInput): Ctx {
  const id = newToken().slice(0, 16);
  const facts: RequestFacts = {
    id,
    method: "GET",
    url: new URL(config.APP_ORIGIN),
    ip: "",
    network: "",
    userAgent: "",
    referrer: "",
    cookies: new Map(),
    nonce: "",
  };
  const nowhere = () => undefined;
  return {
    ...world(env, config, waitUntil, id),
    siteCopy: siteCopyOf(env.SESSIONS, Date.now),
    subjects,
    request: facts,
    setCookie: nowhere,
    reportFailure: nowhere,
    build: "",
  };
}

function world(env: Bindings, config: Config, waitUntil: (work: Promise<unknown>) => void, requestId: string) {
  const cost = noCost();
  const db = openDb(meteredD1(env.DB.withSession("first-primary") as unknown as D1Database, cost));
  const now = () => Date.now();
  return {
    config,
    db,
    kv: env.SESSIONS,
    files: r2Files(env.FILES),
    mailer: mailerFor(env, config, db, now),
    live: livePublisher(env.LIVE),
    hubs: env.LIVE,
    readAsset: (path: string) => readAsset(env.ASSETS, path),
    now,
    newId: (prefix: string) => sortableId(prefix, now(), crypto.getRandomValues(new Uint8Array(16))),
    newToken,
    signedIn: null,
    after: (work: Promise<unknown>) =>
      waitUntil(
        work.catch((error: unknown) => {
          log("error", { event: "after_response_failed", request_id: requestId, error: describeError(error) });
        }),
      ),
    cost,
    log,
  };
}

async function readAsset(assets: Fetcher, path: string): Promise<string | null> {
  // Only the path counts; the binding never leaves the worker.
  const response = await assets.fetch(new URL(path, "https://assets.invalid"));
  return response.ok ? response.text() : null;
}
