import { logDevReady } from "@remix-run/cloudflare";
import * as build from "@remix-run/dev/server-build";
import { storeUnsentForm } from "~/features/account/unsent-form.server";
import { findPerson } from "~/features/auth/sessions.server";
import { settingsAsSaved } from "~/features/settings/publish-settings.server";
import { effectiveBrand } from "~/features/settings/queries.server";
import { STAFF_SIGN_IN_PATH } from "~/lib/addresses";
import { type ErrorStatus, errorStatus } from "~/lib/error-texts";
import { describeError } from "~/lib/errors";
import { sessionIdOf, themeCookieOf, withUnsentForm } from "~/platform/cookies.server";
import {
  classifyFailure,
  errorInLayout,
  failurePage,
  plainFailure,
  textWithoutPage,
} from "~/platform/failure-pages.server";
import {
  beginPost,
  canonicalAddress,
  checkRequest,
  isFlooding,
  sanitizeRequest,
} from "~/platform/ingress-checks.server";
import { log, logOnlyJson } from "~/platform/log.server";
import { publishedSettingsReader } from "~/platform/published-settings.server";
import { parseCookies } from "~/platform/request-headers.server";
import { readableByScript } from "~/platform/responses.server";
import { redirectToSignIn } from "./features/auth/guards.server";
import { countMissingPath, countPageView, isMissingPage, isPageView } from "./features/health/requests.server";
import { receiveMail } from "./features/inbound-mail/receive-mail.server";
import { recordDeliveryEvents } from "./features/mail/delivery-events.server";
import { SUBJECT_REGISTRY } from "./features/workspace/subject-registry.server";
import { dispatch } from "./jobs/dispatch.server";
import { jobsOf } from "./jobs/schedule";
import { rulesFor } from "./lib/areas";
import { locationOf } from "./lib/safe-path";
import type { Theme } from "./lib/theme";
import { backgroundContext, type Ctx, requestContext } from "./platform/context.server";
import { newToken } from "./platform/crypto.server";
import { type D1Cost, noCost, serverTiming } from "./platform/d1.server";
import { type Bindings, type Config, isDeployed, readConfig } from "./platform/env.server";
import { keepUnshownFlash } from "./platform/flash.server";
import { serveFromCache } from "./platform/page-cache.server";
import { createGroupedHandler } from "./platform/route-groups.server";
import { withSecurityHeaders } from "./platform/security-headers.server";

export { LiveHub } from "./live/hub.server";

if (process.env.NODE_ENV !== "development") logOnlyJson(console);
const remix = createGroupedHandler(build, process.env.NODE_ENV);
if (process.env.NODE_ENV === "development") logDevReady(build);

export default {
  async fetch(request, env, execution) {
    const incoming = readIncoming(request, env);
    const configuration = readConfig(env);
    if (!configuration.ok) return configurationPage(incoming, configuration.problems);
    const { url, nonce } = incoming;
    const { config } = configuration;
    const withHeaders = (response: Response) =>
      withSecurityHeaders(response, { url, nonce, botCheck: Boolean(config.TURNSTILE_SITE_KEY) });
    const withTiming = (response: Response, cost: D1Cost) => {
      if (!isDeployed(config)) response.headers.set("Server-Timing", serverTiming(cost));
      return response;
    };

    const stopped = await earlyResponse(incoming, { request, env, config });
    if (stopped) return withTiming(withHeaders(stopped), noCost());
    // The platform serves existing assets without the worker. For others a short text is enough.
    if (url.pathname.startsWith("/build/")) {
      return withHeaders(new Response("Not found", { status: 404, headers: { "Content-Type": "text/plain" } }));
    }

    const endPost = beginPost(request, Date.now());
    if (!endPost) {
      const failure = { text: TOO_MANY_AT_ONCE, headers: { "Retry-After": "1" } };
      return withTiming(withHeaders(await errorPage(incoming, 429, failure)), noCost());
    }
    const run = runRequest(incoming, { request, env, config, execution });
    const { response, cookies, cost } = await run.finally(endPost);
    const final = withHeaders(readableByScript(request, response));
    if (final.status === 101) return final;
    for (const cookie of keepUnshownFlash(final, cookies)) final.headers.append("Set-Cookie", cookie);
    withTiming(final, cost);
    return request.method === "HEAD" ? new Response(null, final) : final;
  },

  async scheduled({ cron }, env, execution) {
    const configuration = readConfig(env);
    if (!configuration.ok) return;
    const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
    const ctx = backgroundContext({ env, config: configuration.config, subjects: SUBJECT_REGISTRY, waitUntil });
    await dispatch(ctx, jobsOf(cron));
  },

  /** What is thrown makes the server of the sender try again; what is rejected comes back to the sender for good. */
  async email(message, env, execution) {
    const configuration = readConfig(env);
    if (!configuration.ok) throw new Error("The setup of this site is not complete yet");
    const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
    const ctx = backgroundContext({ env, config: configuration.config, subjects: SUBJECT_REGISTRY, waitUntil });
    const { from, to, headers, rawSize: size } = message;
    const open = () => message.raw.pipeThrough(new FixedLengthStream(size));
    const refusal = await receiveMail(ctx, { from, to, headers, size, open });
    if (refusal !== null) message.setReject(refusal);
  },

  /** Takes what the provider tells of mails it has sent. What is thrown makes the queue bring all of it again. */
  async queue({ messages }, env, execution) {
    const configuration = readConfig(env);
    if (!configuration.ok) throw new Error("The setup of this site is not complete yet");
    const waitUntil = (work: Promise<unknown>) => execution.waitUntil(work);
    const ctx = backgroundContext({ env, config: configuration.config, subjects: SUBJECT_REGISTRY, waitUntil });
    await recordDeliveryEvents(
      ctx,
      messages.map(({ body }) => body),
    );
  },
} satisfies ExportedHandler<Bindings>;

const TOO_MANY_AT_ONCE = "Too many forms were sent at the same time. Go back, and send this one again.";

/** Holds what every response needs, whether or not the request passes the checks. */
type Incoming = {
  url: URL;
  nonce: string;
  requestId: string;
  theme: Theme;
  publishedSettings: Ctx["publishedSettings"];
};

function readIncoming(request: Request, env: Bindings): Incoming {
  const random = newToken();
  return {
    url: new URL(request.url),
    nonce: random.slice(0, 22),
    requestId: request.headers.get("cf-ray") ?? random.slice(22, 38),
    theme: themeCookieOf(parseCookies(request.headers.get("cookie") ?? "")),
    publishedSettings: publishedSettingsReader(env.SESSIONS, Date.now),
  };
}

/**
 * Renders the static page of an error. It needs neither the database nor the build. What a hydrated page has asked for
 * gets the words alone, which it shows itself; that the server has failed is known to it without them.
 */
async function errorPage(
  { url, publishedSettings, requestId, nonce, theme }: Incoming,
  status: ErrorStatus,
  failure: { title?: string; text?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  if (url.searchParams.has("_data") && status < 500) return plainFailure(status, failure);
  const site = await effectiveBrand({ publishedSettings });
  return failurePage({ site, status, requestId, nonce, theme, ...failure });
}

/** Logs what is wrong with the configuration, and returns the page that says that the setup is not complete. */
async function configurationPage(incoming: Incoming, problems: readonly string[]): Promise<Response> {
  for (const problem of problems) log("error", { event: "configuration", variable: problem });
  const text = "The setup of this site is not complete yet.";
  const page = await errorPage(incoming, 503, { text, headers: { "Retry-After": "300" } });
  return withSecurityHeaders(page, incoming);
}

type Arguments = { request: Request; env: Bindings; config: Config };

/** Returns the response to a request that goes no further: rejected, with another address, or one of too many. */
async function earlyResponse(incoming: Incoming, { request, env, config }: Arguments): Promise<Response | null> {
  const rejection = checkRequest(request, config);
  if (rejection) {
    const { status, reason, page } = rejection;
    log("warn", { event: "rejected", request_id: incoming.requestId, status, reason });
    return errorPage(incoming, status, page);
  }
  const canonical = canonicalAddress(request);
  if (canonical) return new Response(null, { status: 301, headers: { Location: locationOf(canonical) } });
  if (await isFlooding(request, env, config)) {
    return errorPage(incoming, 429, { headers: { "Retry-After": "60" } });
  }
  return null;
}

/** Runs a request that has passed the checks. An unexpected error becomes a page. */
async function runRequest(
  incoming: Incoming,
  { request, env, config, execution }: Arguments & { execution: ExecutionContext },
): Promise<{ response: Response; cookies: readonly string[]; cost: D1Cost }> {
  const { publishedSettings, requestId, nonce } = incoming;
  const sanitized = sanitizeRequest(request);
  const cookies: string[] = [];
  const errors: unknown[] = [];
  const ctx = requestContext({
    env,
    config,
    subjects: SUBJECT_REGISTRY,
    publishedSettings,
    request: sanitized.request,
    waitUntil: (work) => execution.waitUntil(work),
    setCookie: (header) => cookies.push(header),
    reportFailure: (error) => errors.push(error),
    build: build.version,
    requestId,
    nonce,
  });
  ctx.publishedSettings = settingsAsSaved(ctx);
  const response = await handle(ctx, sanitized.request).catch((error: unknown) => {
    errors.push(error);
    return null;
  });
  const { method, headers: asked } = sanitized.request;
  const isAhead = asked.has("sec-purpose");
  if (isMissingPage(ctx, response?.status)) ctx.after(countMissingPath(ctx));
  if (isPageView(ctx, { method, status: response?.status, isAhead })) ctx.after(countPageView(ctx));
  const page = sanitized.bodyTooLarge()
    ? await errorPage(incoming, 413)
    : await responseOrErrorPage(incoming, response, { ctx, request: sanitized.request, errors });
  return { response: page, cookies, cost: ctx.cost };
}

/** Returns the response, or the error page that stands in its place. `response` null: there is none after an error. */
async function responseOrErrorPage(
  incoming: Incoming,
  response: Response | null,
  { ctx, request, errors }: { ctx: Ctx; request: Request; errors: readonly unknown[] },
): Promise<Response> {
  const { requestId, url } = incoming;
  if (!response || errors.length > 0) {
    const error = errors.at(-1);
    log("error", { event: "failed", request_id: requestId, path: url.pathname, error: describeError(error) });
    const { status, retryAfterSeconds, text } = classifyFailure(error);
    const headers = retryAfterSeconds ? { "Retry-After": String(retryAfterSeconds) } : undefined;
    return errorPage(incoming, status, { text, headers });
  }
  const text = await textWithoutPage(response, url);
  if (!text && !isErrorWithoutPage(response)) return response;
  // A socket has no use for a page, and neither has a page that asks for data.
  const hasPage = !request.headers.has("upgrade") && !url.searchParams.has("_data");
  const inLayout = hasPage ? await errorInLayout(ctx, { response, text }, remix) : null;
  if (inLayout) return inLayout;
  const allow = response.status === 405 ? (response.headers.get("Allow") ?? "GET, HEAD") : null;
  const retryAfter = response.headers.get("Retry-After");
  const headers = { ...(allow && { Allow: allow }), ...(retryAfter && { "Retry-After": retryAfter }) };
  return errorPage(incoming, errorStatus(response.status), { headers, ...text });
}

/** Finds the signed-in person, guards the areas that need an account, and runs Remix. */
async function handle(ctx: Ctx, request: Request): Promise<Response> {
  const { pathname, searchParams } = ctx.request.url;
  const { guard, hasSession } = rulesFor(pathname);
  // Each loader has a guard too. This one also covers addresses of signed-in areas without a route.
  const needsAccount = guard !== "none";
  const sessionId = hasSession ? sessionIdOf(ctx) : null;
  if (sessionId) ctx.signedIn = await findPerson(ctx, sessionId, { isRequired: needsAccount });
  // A hydrated page requests data only. It needs the redirect in the framework's format, from the guard of the loader.
  const isDataRequest = searchParams.has("_data");
  // The framework cannot handle the 101 response of a socket to a data request.
  if (isDataRequest && request.headers.has("upgrade")) return new Response(null, { status: 400 });
  if (needsAccount && !ctx.signedIn) {
    const unsentFormId = request.method === "POST" ? await storeUnsentForm(ctx, request) : null;
    if (!isDataRequest) return signedOutResponse(unsentFormId ? withUnsentForm(ctx, unsentFormId) : ctx, request);
    // The body was read, and the guard of the route needs none: a copy of it would be held as a whole.
    return remix(new Request(request.url, { method: request.method, headers: request.headers }), ctx);
  }
  const render = (renderedRequest: Request) => remix(renderedRequest, ctx);
  // In development every change must be visible immediately.
  return process.env.NODE_ENV === "development" ? render(request) : serveFromCache(ctx, request, render);
}

/**
 * Tells whether an error response has no page yet: a guard or `orNotFound` threw it, or the address does not support
 * the method.
 */
const isErrorWithoutPage = ({ status, body, headers }: Response) =>
  status >= 400 && (!body || headers.has("X-Remix-Error"));

/** Redirects to the sign-in page. A post changes nothing and gets a 401 response with the sign-in form. */
async function signedOutResponse(ctx: Ctx, request: Request): Promise<Response> {
  const redirect = redirectToSignIn(ctx);
  if (request.method === "GET") {
    const isUpgrade = request.headers.get("upgrade")?.toLowerCase() === "websocket";
    return isUpgrade ? new Response("Sign in first", { status: 401 }) : redirect;
  }
  const signInPage = new URL(redirect.headers.get("Location") ?? STAFF_SIGN_IN_PATH, ctx.request.url);
  const page = await remix(new Request(signInPage), ctx);
  return new Response(page.body, { status: 401, headers: page.headers });
}
