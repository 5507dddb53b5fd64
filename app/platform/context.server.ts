import type { OrganizationRole } from "~/access/model";
import { type Db, openDb } from "~/db/client.server";
import type { organizations } from "~/db/schema/organizations";
import type { ErrorText } from "~/lib/error-texts";
import { describeError } from "~/lib/errors";
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

export type CurrentMembership = {
  organizationId: string;
  organizationName: string;
  role: OrganizationRole;
  visibility?: "all" | "own";
};

export type OwnOrganization = CurrentMembership & Pick<typeof organizations.$inferSelect, "plan">;

export type SignedIn = {
  sessionHash: string;
  userId: string;
  email: string;
  fullName: string;
  role: "admin" | "moderator" | "user";
  membership: CurrentMembership | null;
  organizations: readonly OwnOrganization[];
  aal: number;
  mfaEnabled: boolean;
  mfaRequiredSince: Instant | null;
  mustChangePassword: boolean;
  codesUnsaved: boolean;
  shortcutsOff: boolean;
  reauthAt: Instant;
  lastSeenAt: Instant;
};

export type RequestInfo = {
  id: string;
  method: string;
  url: URL;
  /** Holds the path that the browser shows, also where another page is rendered in its place. */
  browserPath: string;
  ip: string;
  /** Names the network that rate limits count by: the address itself for IPv4, the /64 for IPv6. */
  network: string;
  userAgent: string;
  referrer: string;
  cookies: ReadonlyMap<string, string>;
  nonce: string;
};

type Budget = { isUsedUp: () => boolean };

export const UNLIMITED: Budget = { isUsedUp: () => false };

export type Ctx = {
  config: Config;
  db: Db;
  kv: KVNamespace;
  /** Read on the first call; never fails. */
  publishedSettings: () => Promise<PublishedSettings>;
  files: Files;
  mailer: Mailer;
  live: LivePublisher;
  hubs: Bindings["LIVE"];
  now: () => Instant;
  newId: (prefix: string) => string;
  newToken: () => string;
  subjects: SubjectRegistry;
  request: RequestInfo;
  signedIn: SignedIn | null;
  /** `token`: that of a form whose fate is unknown, with which its page shows it again. */
  form: { isRejected: boolean; token?: string };
  unknownAddress: { status: 403 | 404; text: ErrorText | null };
  build: string;
  readAsset: ReadAsset;
  after: (work: Promise<unknown>) => void;
  setCookie: (header: string) => void;
  reportFailure: (error: unknown) => void;
  cost: D1Cost;
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
