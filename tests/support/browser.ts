import { codeAt, stepAt } from "~/features/auth/factors.server";
import { findSignedIn } from "~/features/auth/queries.server";
import type { SignInPage } from "~/features/sign-in/model";
import type { Ctx, RequestInfo } from "~/platform/context.server";
import { sessionIdOf } from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_auth.auth";
import { action as signOut } from "~/routes/logout";
import { derive, type TestContext } from "./context";
import { PASSWORD, TOTP_SECRET } from "./factories";
import { linkIn, mailsTo } from "./mails";
import { get, post } from "./requests";

type Route = (args: { context: Ctx; request: Request; params: Record<string, string> }) => Promise<unknown>;

/** Calls a loader or action and returns its response, returned or thrown. */
async function responseOf(route: Route, context: Ctx, request: Request): Promise<Response> {
  try {
    return (await route({ context, request, params: {} })) as Response;
  } catch (error) {
    if (error instanceof Response) return error;
    throw error;
  }
}

/** Stores the cookie of a `Set-Cookie` header, or deletes it if the header says so. */
function keepCookie(cookies: Map<string, string>, header: string) {
  const [pair = ""] = header.split(";");
  const at = pair.indexOf("=");
  if (/Max-Age=0(;|$)/.test(header)) cookies.delete(pair.slice(0, at));
  else cookies.set(pair.slice(0, at), pair.slice(at + 1));
}

/**
 * Simulates a browser at the sign-in page. It keeps its cookies from one request to the next, as responses set them.
 */
export function openBrowser(base: TestContext, facts: Partial<RequestInfo> = {}) {
  const cookies = new Map<string, string>();

  /** Returns the context of one request, with whoever the cookies say is signed in: what the worker does first. */
  async function contextOf(request: Request): Promise<Ctx> {
    const ctx = derive(base, {
      request: {
        ...base.request,
        ...facts,
        url: new URL(request.url),
        method: request.method,
        cookies: new Map(cookies),
      },
      setCookie: (header) => keepCookie(cookies, header),
    });
    const sessionId = sessionIdOf(ctx);
    ctx.signedIn = sessionId ? await findSignedIn(ctx.db, hashToken(sessionId), ctx.now()) : null;
    return ctx;
  }

  async function send(fields: Record<string, string>, path = "/auth"): Promise<Response> {
    const request = post(path, { form_token: issueFormToken(base, "sign-in"), ...fields });
    return action({ context: await contextOf(request), request, params: {} });
  }

  /** Opens another page, by its loader. */
  const visit = async (loader: Route, path: string) => responseOf(loader, await contextOf(get(path)), get(path));

  return {
    cookies,
    send,
    visit,
    /** Reads what another page shows. */
    read: async <Page>(loader: Route, path: string) => (await (await visit(loader, path)).json()) as Page,
    /** Opens the link to a page in the newest mail to an address. */
    openMail: async (loader: Route, email: string, path: string) =>
      visit(loader, linkIn((await mailsTo(base, email)).at(-1), path)),
    /** Sends the form of another page, with a token of the purpose its loader gives out. */
    submit: async (action: Route, path: string, purpose: string, fields: Record<string, string> = {}) => {
      const request = post(path, {});
      const context = await contextOf(request);
      const form_token = issueFormToken(context, purpose);
      return responseOf(action, context, post(path, { form_token, ...fields }));
    },
    whoAmI: async () => (await contextOf(get("/"))).signedIn,
    context: (path = "/auth") => contextOf(get(path)),
    /** Reads what the sign-in page shows. */
    page: async (path = "/auth") => {
      const request = get(path);
      const response = await loader({ context: await contextOf(request), request, params: {} });
      return (await response.json()) as SignInPage;
    },
    open: async (path = "/auth") => {
      const request = get(path);
      return loader({ context: await contextOf(request), request, params: {} });
    },
    /** Sends the first step of the sign-in. */
    password: (email: string, password = PASSWORD, path?: string) => send({ intent: "sign-in", email, password }, path),
    /** Signs in with both factors. */
    enter: async (email: string) => {
      await send({ intent: "sign-in", email, password: PASSWORD });
      return send({ intent: "verify-code", code: codeAt(TOTP_SECRET, stepAt(base.now())) });
    },
    /** Sends the second step of the sign-in. */
    code: (code: string) => send({ intent: "verify-code", code }),
    /** Returns the code an authenticator app shows at this moment, or some steps away from it. */
    currentCode: (offset = 0) => codeAt(TOTP_SECRET, stepAt(base.now()) + offset),
    signOut: async (token?: string) => {
      const context = await contextOf(post("/logout", {}));
      const request = post("/logout", { form_token: token ?? issueFormToken(context, "sign-out") });
      return signOut({ context, request, params: {} });
    },
  };
}
