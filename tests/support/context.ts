import { env } from "cloudflare:workers";
import type { Audience } from "~/access/live-events";
import { openDb } from "~/db/client.server";
import { SUBJECT_REGISTRY } from "~/features/workspace/subject-registry.server";
import { sortableId } from "~/lib/ids";
import type { Duration, Instant } from "~/lib/time";
import { type Ctx, type RequestInfo, UNLIMITED } from "~/platform/context.server";
import { newToken } from "~/platform/crypto.server";
import { meteredD1, noCost } from "~/platform/d1.server";
import { type Bindings, readConfig } from "~/platform/env.server";
import { r2Files } from "~/platform/files.server";
import type { OutgoingMail, SendOutcome } from "~/platform/mailer.server";
import { fetchPublishedSettings } from "~/platform/published-settings.server";

/** Holds the start time of the tests: a Wednesday, during opening hours. */
export const WEDNESDAY: Instant = Date.parse("2026-11-18T15:00:00Z");

export const bindings = env as unknown as Bindings;

export type TestContext = Ctx & {
  clock: { advance: (by: Duration) => void; set: (to: Instant) => void };
  /** Holds the sent mails, in order. */
  sent: OutgoingMail[];
  /** Holds the outcomes of the next mails. When empty, all mails are sent. */
  outcomes: SendOutcome[];
  notified: Audience[];
  disconnected: { audience: Audience; tag: string }[];
  cookiesSet: string[];
  failures: unknown[];
  /** Waits for the work that continues after the response. */
  settle: () => Promise<void>;
};

/** Returns a context with a real database, file store and cryptography. Clock, mail and live events are fakes. */
export function testContext(overrides: Partial<Ctx> & { facts?: Partial<RequestInfo> } = {}): TestContext {
  const configuration = readConfig(bindings);
  if (!configuration.ok) throw new Error(configuration.problems.join("; "));
  const { facts, ...rest } = overrides;
  let time = WEDNESDAY;
  const pending: Promise<unknown>[] = [];
  const cost = noCost();
  const test: TestContext = {
    config: configuration.config,
    db: openDb(meteredD1(bindings.DB, cost)),
    kv: bindings.SESSIONS,
    publishedSettings: () => fetchPublishedSettings(bindings.SESSIONS),
    files: r2Files(bindings.FILES),
    mailer: {
      provider: "capture",
      isIdempotent: true,
      send: async (mail) => {
        const outcome = test.outcomes.shift() ?? { kind: "sent" };
        if (outcome.kind === "sent") test.sent.push(mail);
        return outcome;
      },
    },
    live: {
      notify: async (audience) => {
        test.notified.push(audience);
      },
      disconnect: async (audience, tag) => {
        test.disconnected.push({ audience, tag });
      },
    },
    subjects: SUBJECT_REGISTRY,
    hubs: bindings.LIVE,
    readAsset: async () => null,
    now: () => time,
    newId: (prefix) => sortableId(prefix, time, crypto.getRandomValues(new Uint8Array(16))),
    newToken,
    request: {
      id: "test-request",
      method: "GET",
      url: new URL("http://localhost:8787/"),
      browserPath: "/",
      ip: "203.0.113.7",
      network: "203.0.113.7",
      userAgent: "Mozilla/5.0 (X11; Linux x64) Chrome/156.0",
      referrer: "",
      cookies: new Map(),
      nonce: "test-nonce",
      ...facts,
    },
    signedIn: null,
    form: { isRejected: false },
    unknownAddress: { status: 404, text: null },
    build: "test-build",
    after: (work) => {
      pending.push(work);
    },
    setCookie: (header) => {
      test.cookiesSet.push(header);
    },
    reportFailure: (error) => {
      test.failures.push(error);
    },
    cost,
    budget: UNLIMITED,
    log: () => undefined,
    clock: {
      advance: (by) => {
        time += by;
      },
      set: (to) => {
        time = to;
      },
    },
    sent: [],
    outcomes: [],
    notified: [],
    disconnected: [],
    cookiesSet: [],
    failures: [],
    settle: async () => {
      while (pending.length > 0) await pending.shift();
    },
    ...rest,
  };
  return test;
}

/** Returns a copy of a context with changes: another person, another request, a database that fails. */
export const derive = <Context extends Ctx>(ctx: Context, changes: Partial<Ctx>): Context => ({ ...ctx, ...changes });
