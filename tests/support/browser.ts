import { codeAt, stepAt } from "~/features/auth/factors/totp.server";
import { findSignedIn } from "~/features/auth/queries.server";
import type { SignInPage } from "~/features/sign-in/model";
import type { Ctx, RequestFacts } from "~/platform/context.server";
import { sessionIdOf } from "~/platform/cookies.server";
import { hashToken } from "~/platform/crypto.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_auth.auth";
import { action as signOut } from "~/routes/logout";
import { derive, type TestContext } from "./context";
import { get, post } from "./requests";
import { PASSWORD, TOTP_SECRET } from "./world";

/** Simulates a browser at the sign-in page: it keeps its cookies from one request to the next, as the worker's exit sets them. */
export function openBrowser(world: TestContext, facts: Partial<RequestFacts> = {}) {
  const cookies = new Map<string, string>();

  function keep(header: string) {
    const [pair = ""] = header.split(";");
    const at = pair.indexOf("=");
    if (/Max-Age=0(;|$)/.test(header)) cookies.delete(pair.slice(0, at));
    else cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }

  /** The context of one request, with whoever the cookies say is signed in: what the worker does first. */
  async function arrive(request: Request): Promise<Ctx> {
    const ctx = derive(world, {
      request: {
        ...world.request,
        ...facts,
        url: new URL(request.url),
        method: request.method,
        cookies: new Map(cookies),
      },
      setCookie: keep,
    });
    const sessionId = sessionIdOf(ctx);
    ctx.signedIn = sessionId ? await findSignedIn(ctx.db, hashToken(sessionId), ctx.now()) : null;
    return ctx;
  }

  async function send(fields: Record<string, string>, path = "/auth"): Promise<Response> {
    const request = post(path, { form_token: issueFormToken(world, "sign-in"), ...fields });
    return action({ context: await arrive(request), request, params: {} });
  }

  type Route = (args: { context: Ctx; request: Request; params: Record<string, string> }) => Promise<unknown>;

  /** Calls a loader or action and answers with the response, returned or thrown. */
  async function answerOf(route: Route, context: Ctx, request: Request): Promise<Response> {
    try {
      return (await route({ context, request, params: {} })) as Response;
    } catch (error) {
      if (error instanceof Response) return error;
      throw error;
    }
  }

  return {
    cookies,
    send,
    /** Opens another page, by its loader. */
    visit: async (loader: Route, path: string) => answerOf(loader, await arrive(get(path)), get(path)),
    /** Sends the form of another page, with a token of the purpose its loader gives out. */
    submit: async (action: Route, path: string, purpose: string, fields: Record<string, string> = {}) => {
      const request = post(path, {});
      const context = await arrive(request);
      const form_token = issueFormToken(context, purpose);
      return answerOf(action, context, post(path, { form_token, ...fields }));
    },
    whoAmI: async () => (await arrive(get("/"))).signedIn,
    context: (path = "/auth") => arrive(get(path)),
    /** What the sign-in page is made of. */
    page: async (path = "/auth") => {
      const request = get(path);
      const response = await loader({ context: await arrive(request), request, params: {} });
      return (await response.json()) as SignInPage;
    },
    open: async (path = "/auth") => {
      const request = get(path);
      return loader({ context: await arrive(request), request, params: {} });
    },
    /** The first step. */
    password: (email: string, password = PASSWORD, path?: string) => send({ intent: "sign-in", email, password }, path),
    /** The second step. */
    code: (code: string) => send({ intent: "verify-code", code }),
    /** The code an authenticator app shows at this moment, or some steps away from it. */
    currentCode: (offset = 0) => codeAt(TOTP_SECRET, stepAt(world.now()) + offset),
    signOut: async (token?: string) => {
      const context = await arrive(post("/logout", {}));
      const request = post("/logout", { form_token: token ?? issueFormToken(context, "sign-out") });
      return signOut({ context, request, params: {} });
    },
  };
}
