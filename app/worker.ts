import { createRequestHandler, logDevReady } from "@remix-run/cloudflare";
// An alias of wrangler.toml: what `remix build` has written.
import * as build from "@remix-run/dev/server-build";
import { holdForm } from "~/features/account/held-form.server";
import { type ErrorStatus, errorStatus } from "~/lib/error-texts";
import { sessionIdOf, withHeldForm } from "~/platform/cookies.server";
import { admit, canonicalAddress, refuse } from "~/platform/ingress-checks.server";
import { redirectToSignIn } from "./features/auth/guards.server";
import { findSignedIn } from "./features/auth/queries.server";
import { brandInForce } from "./features/settings/brand-in-force.server";
import { SUBJECT_REGISTRY } from "./features/workspace/subject-registry.server";
import { dispatch } from "./jobs/dispatch.server";
import { rulesFor } from "./lib/areas";
import { describeError } from "./lib/describe-error";
import { backgroundContext, type Ctx, requestContext, type SignedIn } from "./platform/context.server";
import { hashToken, newToken } from "./platform/crypto.server";
import { type D1Cost, noCost, serverTiming } from "./platform/d1.server";
import { type Bindings, type Config, readConfig } from "./platform/env.server";
import { failurePage } from "./platform/failure-pages.server";
import { log } from "./platform/log.server";
import { clientAddress, networkOf } from "./platform/network.server";
import { classifyFailure } from "./platform/outage.server";
import { answerFromCache } from "./platform/page-cache.server";
import { parseCookies } from "./platform/parse-cookies.server";
import { secured } from "./platform/security-headers.server";
import { siteCopyOf } from "./platform/site-copy.server";
import { themeOf } from "./platform/theme.server";

export { LiveHub } from "./live/hub.server";

const remix = createRequestHandler(build, process.env.NODE_ENV);
if (process.env.NODE_ENV === "development") logDevReady(build);

type Failure = { title?: string; text?: string; headers?: Record<string, string> };

export default {
  async fetch(request, env, execution) {
    const nonce = newToken().slice(0, 22);
    const requestId = request.headers.get("cf-ray") ?? newToken().slice(0, 16);
    const url = new URL(request.url);
    const siteCopy = siteCopyOf(env.SESSIONS, Date.now);
    const theme = themeOf(parseCookies(request.headers.get("cookie") ?? ""));
    const fail = async (status: ErrorStatus, failure: Failure = {}) =>
      failurePage({ site: await brandInForce({ siteCopy }), status, requestId, nonce, theme, ...failure });

    const configuration = readConfig(env);
    if (!configuration.ok) {
      for (const problem of configuration.problems) log("error", { event: "configuration", variable: problem });
      const unfinished = await fail(503, {
        text: "This site is not set up completely yet.",
        headers: { "Retry-After": "300" },
      });
      return secured(unfinished, { url, nonce });
    }
    const { config } = configuration;
    const secure = (response: Response) =>
      secured(response, { url, nonce, botCheck: Boolean(config.TURNSTILE_SITE_KEY) });
    const timed = (response: Response, cost: D1Cost) => {
      if (config.APP_ENV !== "production") response.headers.set("Server-Timing", serverTiming(cost));
      return response;
    };

    const refused = refuse(request, config);
    if (refused) {
      log("warn", { event: "refused", request_id: requestId, status: refused.status, reason: refused.reason });
      return timed(secure(await fail(refused.status, refused.page)), noCost());
    }
    const tidy = canonicalAddress(request);
    if (tidy) return timed(secure(new Response(null, { status: 301, headers: { Location: tidy } })), noCost());
    if (await isFlooding(request, env, config)) {
      return timed(secure(await fail(429, { headers: { "Retry-After": "60" } })), noCost());
    }
    // Assets that exist never reach the worker; whoever asks for one that does not deserves a short answer.
    if (url.pathname.startsWith("/build/")) {
      return secure(new Response("Not found", { status: 404, headers: { "Content-Type": "text/plain" } }));
    }

    const admitted = admit(request);
    const cookies: string[] = [];
    let failure: unknown;
    const ctx = requestContext({
      env,
      config,
      subjects: SUBJECT_REGISTRY,
      siteCopy,
      request: admitted.request,
      waitUntil: (work) => execution.waitUntil(work),
      setCookie: (header) => cookies.push(header),
      reportFailure: (error) => {
        failure = error;
      },
      build: build.assets.version,
      requestId,
      nonce,
    });

    let response: Response;
    try {
      response = await answer(ctx, admitted.request);
    } catch (error) {
      failure = error;
      response = await fail(500);
    }
    if (admitted.bodyTooLarge()) response = await fail(413);
    else if (failure) {
      log("error", { event: "failed", request_id: requestId, path: url.pathname, error: describeError(failure) });
      const { status, retryAfterSeconds, text } = classifyFailure(failure);
      const headers = retryAfterSeconds ? { "Retry-After": String(retryAfterSeconds) } : undefined;
      response = await fail(status, { text, headers });
    } else if (isBareRefusal(response, url)) {
      const allow = response.status === 405 ? (response.headers.get("Allow") ?? "GET, HEAD") : null;
      response = await fail(errorStatus(response.status), allow ? { headers: { Allow: allow } } : {});
    }

    const final = secure(response);
    if (final.status === 101) return final;
    for (const cookie of cookies) final.headers.append("Set-Cookie", cookie);
    timed(final, ctx.cost);
    return request.method === "HEAD" ? new Response(null, final) : final;
  },

  async scheduled(_event, env, execution) {
    const configuration = readConfig(env);
    if (!configuration.ok) return;
    const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
    await dispatch(backgroundContext({ env, config: configuration.config, subjects: SUBJECT_REGISTRY, waitUntil }));
  },

  /** Inbound mail is a later piece of work; until then nothing may vanish silently. */
  async email(message) {
    message.setReject("This address does not take mail yet. Please use the website.");
  },
} satisfies ExportedHandler<Bindings>;

/** Finds out who is asking, closes the areas that need an account, and lets Remix answer. */
async function answer(ctx: Ctx, request: Request): Promise<Response> {
  const { pathname, searchParams } = ctx.request.url;
  const { guard, hasSession } = rulesFor(pathname);
  // Each loader guards itself too; this also covers addresses of signed-in areas that no route answers.
  const needsAccount = guard !== "none";
  const sessionId = hasSession ? sessionIdOf(ctx) : null;
  if (sessionId) ctx.signedIn = await recognize(ctx, sessionId, needsAccount);
  // A page that runs scripts asks for data alone. It must get the redirect in the framework's own words, from the guard
  // that every loader opens with.
  const asksForData = searchParams.has("_data");
  // A socket has no data twin, and the framework would take the 101 of one for a broken answer.
  if (asksForData && request.headers.has("upgrade")) return new Response(null, { status: 400 });
  if (needsAccount && !ctx.signedIn) {
    const heldId = request.method === "POST" ? await holdForm(ctx, request.clone() as Request) : null;
    if (!asksForData) return signedOutAnswer(heldId ? withHeldForm(ctx, heldId) : ctx, request);
  }
  const render = (fresh: Request) => remix(fresh, ctx);
  // While developing, every change must show at once.
  return process.env.NODE_ENV === "development" ? render(request) : answerFromCache(ctx, request, render);
}

/**
 * A refusal that has no words of its own: one that a guard or `found` threw, or an address that does not take the
 * method. People get our page for it; the framework's requests for data get the bare status.
 */
const isBareRefusal = (response: Response, url: URL) =>
  response.status >= 400 && !url.searchParams.has("_data") && (!response.body || response.headers.has("X-Remix-Error"));

/** Who is asking. Without the database nobody is anybody; public pages then answer as they do to strangers. */
async function recognize(ctx: Ctx, sessionId: string, needsAccount: boolean): Promise<SignedIn | null> {
  try {
    return await findSignedIn(ctx.db, hashToken(sessionId), ctx.now());
  } catch (error) {
    if (needsAccount) throw error;
    return null;
  }
}

/** Pages lead to the sign-in page and back; a post changes nothing and answers 401 with the sign-in form. */
async function signedOutAnswer(ctx: Ctx, request: Request): Promise<Response> {
  const redirect = redirectToSignIn(ctx);
  if (request.method === "GET") {
    const isUpgrade = request.headers.get("upgrade")?.toLowerCase() === "websocket";
    return isUpgrade ? new Response("Sign in first", { status: 401 }) : redirect;
  }
  const signInPage = new URL(redirect.headers.get("Location") ?? "/auth", ctx.request.url);
  const page = await remix(new Request(signInPage), ctx);
  return new Response(page.body, { status: 401, headers: page.headers });
}

/** The coarse shield in front of everything. It counts per location and forgets: the real limits stand in D1. */
async function isFlooding(request: Request, env: Bindings, config: Config): Promise<boolean> {
  if (config.APP_ENV !== "production" || request.method !== "POST" || !env.RL_COARSE) return false;
  const { success } = await env.RL_COARSE.limit({ key: networkOf(clientAddress(request)) });
  return !success;
}
