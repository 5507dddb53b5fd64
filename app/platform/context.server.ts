import type { OrganizationRole } from "~/access/model";
import { type Db, openDb } from "~/db/client.server";
import type { organizations } from "~/db/schema/organizations";
import { describeError } from "~/lib/describe-error";
import type { ErrorText } from "~/lib/error-texts";
import { sortableId } from "~/lib/ids";
import type { Instant } from "~/lib/time";
import { type LivePublisher, livePublisher } from "~/live/publish.server";
import { newToken } from "./crypto.server";
import { type D1Cost, meteredD1, noCost } from "./d1.server";
import type { Bindings, Config } from "./env.server";
import { type Files, r2Files } from "./files.server";
import { type Log, log } from "./log.server";
import { type Mailer, mailerFor } from "./mailer.server";
import type { ReadAsset } from "./page-styles.server";
import { type PublishedSettings, publishedSettingsReader } from "./published-settings.server";
import { clientIp, networkOf, parseCookies } from "./request-headers.server";
import type { SubjectRegistry } from "./subjects.server";

/** Describes an active membership of the current organization. */
export type CurrentMembership = {
  organizationId: string;
  organizationName: string;
  role: OrganizationRole;
  /** Tells whether members see the tickets of their colleagues. Absent: they do not. */
  visibility?: "all" | "own";
};

/** Describes an active membership, as the frame of the portal shows it. */
export type OwnOrganization = CurrentMembership & Pick<typeof organizations.$inferSelect, "plan">;

/** Describes the signed-in person of a request, as read from the sessions table. */
export type SignedIn = {
  sessionHash: string;
  userId: string;
  email: string;
  fullName: string;
  role: "admin" | "moderator" | "user";
  /**
   * Names the organization they work in: the one used last in this session, else the first by name. Null: none is
   * active.
   */
  membership: CurrentMembership | null;
  /** Lists all organizations in which they have an active membership, by name. */
  organizations: readonly OwnOrganization[];
  /** Says how the person signed in: 1 with a password only, 2 with password and second factor. */
  aal: number;
  mfaEnabled: boolean;
  /** Holds the time from which an organization of theirs requires a second factor; null: none does. */
  mfaRequiredSince: Instant | null;
  mustChangePassword: boolean;
  /** Tells whether backup codes were created and the person has not confirmed yet that they saved them. */
  codesUnsaved: boolean;
  /** Holds the time when the person last confirmed their identity. */
  reauthAt: Instant;
  lastSeenAt: Instant;
};

/** Holds what commands and routes need of a request, read once. */
export type RequestInfo = {
  /**
   * Holds the id of the request, `cf-ray` or a random one; shown on error pages and written to logs and audit events.
   */
  id: string;
  method: string;
  url: URL;
  /** Holds the path that the browser shows, also where another page is rendered in its place. */
  browserPath: string;
  /** Holds the address of the network, from `CF-Connecting-IP` and nothing else. */
  ip: string;
  /** Names the network that rate limits count by: the address itself for IPv4, the /64 for IPv6. */
  network: string;
  userAgent: string;
  /** Holds the address of the page that linked here; empty if the browser does not send it. */
  referrer: string;
  cookies: ReadonlyMap<string, string>;
  /** Holds the nonce in the Content-Security-Policy of this one response. */
  nonce: string;
};

/** Tells work that is done in parts when to stop between two of them. The next run goes on. */
type Budget = { isUsedUp: () => boolean };

/** Holds for requests, and for work after a response: it has limits of its own. */
export const UNLIMITED: Budget = { isUsedUp: () => false };

/** Holds everything a command may depend on during one request or job. It is passed in and never imported. */
export type Ctx = {
  config: Config;
  db: Db;
  /**
   * Holds device labels of sessions, which nothing reads yet, and the published settings. No decision depends on it.
   */
  kv: KVNamespace;
  /** Returns the public part of the site's settings. Read on the first call; never fails. */
  publishedSettings: () => Promise<PublishedSettings>;
  files: Files;
  mailer: Mailer;
  live: LivePublisher;
  /** Holds the Durable Objects of the live hubs, only for connecting sockets. */
  hubs: Bindings["LIVE"];
  now: () => Instant;
  newId: (prefix: string) => string;
  newToken: () => string;
  /** Holds the name, address and visibility of every type of subject. */
  subjects: SubjectRegistry;
  request: RequestInfo;
  signedIn: SignedIn | null;
  /**
   * Tells whether the form of this request was rejected, for the loaders that run after its action: the title says so.
   */
  form: { isRejected: boolean };
  /**
   * Holds the status and words of the page for unknown addresses of an area, which also shows errors of addresses
   * without a page.
   */
  unknownAddress: { status: 403 | 404; text: ErrorText | null };
  /** Identifies the build: part of cache keys and of `/healthz`. */
  build: string;
  readAsset: ReadAsset;
  /** Lets work continue after the response was sent. Errors of the work are logged. */
  after: (work: Promise<unknown>) => void;
  /** Adds a `Set-Cookie` header to the response, whatever its status will be. */
  setCookie: (header: string) => void;
  /** Reports an unexpected error to the worker, which decides between 500 and 503. */
  reportFailure: (error: unknown) => void;
  cost: D1Cost;
  /** Says in a run of the schedule when to stop; never in a request. */
  budget: Budget;
  log: Log;
};

type RequestInput = {
  env: Bindings;
  config: Config;
  subjects: SubjectRegistry;
  request: Request;
  publishedSettings: Ctx["publishedSettings"];
  waitUntil: (work: Promise<unknown>) => void;
  setCookie: (header: string) => void;
  reportFailure: (error: unknown) => void;
  build: string;
  requestId: string;
  nonce: string;
};

/** Builds the context of a request. */
export function requestContext({
  env,
  config,
  request,
  waitUntil,
  build,
  requestId,
  nonce,
  ...rest
}: RequestInput): Ctx {
  const ip = clientIp(request);
  const info: RequestInfo = {
    id: requestId,
    method: request.method,
    url: new URL(request.url),
    browserPath: new URL(request.url).pathname,
    ip,
    network: networkOf(ip),
    userAgent: (request.headers.get("user-agent") ?? "").slice(0, 300),
    referrer: (request.headers.get("referer") ?? "").slice(0, 2_000),
    cookies: parseCookies(request.headers.get("cookie") ?? ""),
    nonce,
  };
  return { ...baseContext(env, config, waitUntil, info.id), ...rest, request: info, build };
}

type BackgroundInput = Pick<RequestInput, "env" | "config" | "subjects" | "waitUntil">;

/** Builds the context of work without a request: scheduled jobs, inbound mail. */
export function backgroundContext({ env, config, subjects, waitUntil }: BackgroundInput): Ctx {
  const id = newToken().slice(0, 16);
  const info: RequestInfo = {
    id,
    method: "GET",
    url: new URL(config.APP_ORIGIN),
    browserPath: "/",
    ip: "",
    network: "",
    userAgent: "",
    referrer: "",
    cookies: new Map(),
    nonce: "",
  };
  const ignore = () => undefined;
  return {
    ...baseContext(env, config, waitUntil, id),
    publishedSettings: publishedSettingsReader(env.SESSIONS, Date.now),
    subjects,
    request: info,
    setCookie: ignore,
    reportFailure: ignore,
    build: "",
  };
}

function baseContext(env: Bindings, config: Config, waitUntil: (work: Promise<unknown>) => void, requestId: string) {
  const cost = noCost();
  // Sessions must not be read from a replica that lags behind, so the first query goes to the primary.
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
    form: { isRejected: false },
    unknownAddress: { status: 404 as const, text: null },
    after: (work: Promise<unknown>) =>
      waitUntil(
        work.catch((error: unknown) => {
          log("error", { event: "after_response_failed", request_id: requestId, error: describeError(error) });
        }),
      ),
    cost,
    budget: UNLIMITED,
    log,
  };
}

async function readAsset(assets: Fetcher, path: string): Promise<string | null> {
  // The host has no meaning: the binding reads files of the build only.
  const response = await assets.fetch(new URL(path, "https://assets.invalid"));
  return response.ok ? response.text() : null;
}
