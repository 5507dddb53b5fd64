import { serialize } from "cookie";
import { type Duration, days, minutes } from "~/lib/time";
import type { Ctx } from "./context.server";
import { equalInConstantTime, keyedHash } from "./crypto.server";

/*
 * Every cookie of the product. None of them decides whether a session lives: the sessions table does. All are `__Host-`:
 * no subdomain can set them, no other path can see them.
 */

/** Sends a cookie with the response. `lifetime` null: until the browser is closed; 0 removes it. */
export function setCookie(ctx: Pick<Ctx, "setCookie">, name: string, value: string, lifetime: Duration | null): void {
  const maxAge = lifetime === null ? undefined : Math.floor(lifetime / 1000);
  ctx.setCookie(
    serialize(name, value, {
      path: "/",
      secure: true,
      httpOnly: true,
      sameSite: "lax",
      maxAge,
      encode: (text) => text,
    }),
  );
}

const SESSION_COOKIE = "__Host-sid";
const CHALLENGE_COOKIE = "__Host-mfa";
const DEVICE_COOKIE = "__Host-kd";

/** Time between the right password and the second factor. */
export const CHALLENGE_LIFETIME: Duration = minutes(10);
const DEVICE_LIFETIME: Duration = days(400);

/** Exactly what `newToken` makes. Anything else was not issued by us and is dropped before any look-up. */
const TOKEN = /^[\w-]{43}$/;

const tokenIn = (ctx: Ctx, cookie: string): string | null => {
  const value = ctx.request.cookies.get(cookie) ?? "";
  return TOKEN.test(value) ? value : null;
};

/** The session id the browser showed, if it has the form of one. */
export const sessionIdOf = (ctx: Ctx): string | null => tokenIn(ctx, SESSION_COOKIE);

/** Hands the browser its new session. `lifetime` null: until the browser is closed. */
export const setSessionCookie = (ctx: Ctx, sessionId: string, lifetime: Duration | null): void =>
  setCookie(ctx, SESSION_COOKIE, sessionId, lifetime);

export const dropSessionCookie = (ctx: Ctx): void => setCookie(ctx, SESSION_COOKIE, "", 0);

/** The id of the sign-in that waits for its second factor, if the browser showed one. */
export const challengeIdOf = (ctx: Ctx): string | null => tokenIn(ctx, CHALLENGE_COOKIE);

export const setChallengeCookie = (ctx: Ctx, challengeId: string): void =>
  setCookie(ctx, CHALLENGE_COOKIE, challengeId, CHALLENGE_LIFETIME);

export const dropChallengeCookie = (ctx: Ctx): void => setCookie(ctx, CHALLENGE_COOKIE, "", 0);

/**
 * The id of this browser, if the person has signed in completely with it before. The cookie names nobody: who it
 * belongs to is part of its signature only, so it opens one person's limit and tells a finder nothing.
 * Format: `<device id>.<issued, ms>.<signature>`.
 */
export function knownDevice(ctx: Ctx, userId: string): string | null {
  const [device = "", issued = "", signature = ""] = (ctx.request.cookies.get(DEVICE_COOKIE) ?? "").split(".");
  if (!TOKEN.test(device) || !equalInConstantTime(signature, signDevice(ctx, device, issued, userId))) return null;
  return ctx.now() - Number(issued) < DEVICE_LIFETIME ? device : null;
}

/** Marks this browser as one the person uses, after a complete sign-in. A browser known already keeps its id. */
export function rememberDevice(ctx: Ctx, userId: string): void {
  const device = knownDevice(ctx, userId) ?? ctx.newToken();
  const issued = String(ctx.now());
  setCookie(ctx, DEVICE_COOKIE, `${device}.${issued}.${signDevice(ctx, device, issued, userId)}`, DEVICE_LIFETIME);
}

const signDevice = (ctx: Ctx, device: string, issued: string, userId: string) =>
  keyedHash(ctx.config.FORM_KEY_1, "known-device/v1", [device, issued, userId].join("\n"));

/** What a link in a mail opens; each kind waits in a cookie of its own, so that one does not overwrite another. */
export type LinkPurpose = "verify_email" | "reset" | "email_change" | "email_undo" | "not_me" | "mfa_setup";

const LINK_COOKIES: Record<LinkPurpose, string> = {
  verify_email: "__Host-vfy",
  reset: "__Host-rst",
  email_change: "__Host-emc",
  email_undo: "__Host-emu",
  not_me: "__Host-nme",
  mfa_setup: "__Host-stp",
};

/** Time between opening a link and pressing the button of its page. */
const LINK_COOKIE_LIFETIME: Duration = minutes(15);

/** Whether text has the form of something we put into a link. */
export const isLinkToken = (text: string): boolean => TOKEN.test(text);

/** The token of the link the person came by, moved out of the address. */
export const linkTokenOf = (ctx: Ctx, purpose: LinkPurpose): string | null => tokenIn(ctx, LINK_COOKIES[purpose]);

export const setLinkCookie = (ctx: Ctx, purpose: LinkPurpose, token: string): void =>
  setCookie(ctx, LINK_COOKIES[purpose], token, LINK_COOKIE_LIFETIME);

export const dropLinkCookie = (ctx: Ctx, purpose: LinkPurpose): void => setCookie(ctx, LINK_COOKIES[purpose], "", 0);

const HELD_FORM_COOKIE = "__Host-hld";

/** How long a form that met the end of its session waits for its owner. */
export const HELD_FORM_LIFETIME: Duration = minutes(30);

/** The id of the form that waits for this browser, if the browser showed one. */
export const heldFormIdOf = (ctx: Ctx): string | null => tokenIn(ctx, HELD_FORM_COOKIE);

export const setHeldFormCookie = (ctx: Ctx, id: string): void =>
  setCookie(ctx, HELD_FORM_COOKIE, id, HELD_FORM_LIFETIME);

export const dropHeldFormCookie = (ctx: Ctx): void => setCookie(ctx, HELD_FORM_COOKIE, "", 0);

/** Returns the same request as it would be if the browser had shown the id already. */
export const withHeldForm = (ctx: Ctx, id: string): Ctx => ({
  ...ctx,
  request: { ...ctx.request, cookies: new Map(ctx.request.cookies).set(HELD_FORM_COOKIE, id) },
});

const CODES_COOKIE = "__Host-codes";

/** New backup codes on their way to the one page that shows them; sealed, so that the cookie tells nobody. */
export const setCodesCookie = (ctx: Ctx, sealed: string): void => setCookie(ctx, CODES_COOKIE, sealed, minutes(10));

export const codesCookieOf = (ctx: Ctx): string | null => ctx.request.cookies.get(CODES_COOKIE) ?? null;

export const dropCodesCookie = (ctx: Ctx): void => setCookie(ctx, CODES_COOKIE, "", 0);
