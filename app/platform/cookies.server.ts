import { serialize } from "cookie";
import { parseTheme, type Theme } from "~/lib/theme";
import { type Duration, days, minutes } from "~/lib/time";
import type { Ctx } from "./context.server";
import { equalInConstantTime, keyedHash } from "./crypto.server";

type CookieReader = { request: Pick<Ctx["request"], "cookies"> };
type CookieWriter = Pick<Ctx, "setCookie">;

/** All are `__Host-`: subdomains cannot set them, and HTTPS only. Whether a session is valid the table decides. */

/** `lifetime` null: until the browser is closed; 0: deletes the cookie. */
export function setCookie(ctx: CookieWriter, name: string, value: string, lifetime: Duration | null): void {
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

export const SESSION_COOKIE = "__Host-sid";
const CHALLENGE_COOKIE = "__Host-mfa";
const DEVICE_COOKIE = "__Host-kd";

export const CHALLENGE_LIFETIME: Duration = minutes(10);
const DEVICE_LIFETIME: Duration = days(400);

/** Matches the format of `newToken`. Other values were not issued by us and are ignored without a query. */
const TOKEN = /^[\w-]{43}$/;

const tokenIn = (ctx: CookieReader, cookie: string): string | null => {
  const value = ctx.request.cookies.get(cookie) ?? "";
  return TOKEN.test(value) ? value : null;
};

export const sessionIdOf = (ctx: CookieReader): string | null => tokenIn(ctx, SESSION_COOKIE);

export const setSessionCookie = (ctx: CookieWriter, sessionId: string, lifetime: Duration | null): void =>
  setCookie(ctx, SESSION_COOKIE, sessionId, lifetime);

export const deleteSessionCookie = (ctx: CookieWriter): void => setCookie(ctx, SESSION_COOKIE, "", 0);

export const challengeIdOf = (ctx: CookieReader): string | null => tokenIn(ctx, CHALLENGE_COOKIE);

export const setChallengeCookie = (ctx: CookieWriter, challengeId: string): void =>
  setCookie(ctx, CHALLENGE_COOKIE, challengeId, CHALLENGE_LIFETIME);

export const deleteChallengeCookie = (ctx: CookieWriter): void => setCookie(ctx, CHALLENGE_COOKIE, "", 0);

export function hideChallenge(ctx: Pick<Ctx, "request">): void {
  const cookies = new Map(ctx.request.cookies);
  cookies.delete(CHALLENGE_COOKIE);
  ctx.request = { ...ctx.request, cookies };
}

/** A new epoch makes every browser of the person a stranger's again. */
type DeviceOwner = { userId: string; epoch: number };

/**
 * A known device has a rate limit of its own (OWASP: device cookies). The person is only part of the signature, so a
 * stolen cookie does not show whose it is. Format: `<device id>.<issued, ms>.<signature>`.
 */
export function knownDevice(ctx: Pick<Ctx, "request" | "config" | "now">, owner: DeviceOwner): string | null {
  const [device = "", issued = "", signature = ""] = (ctx.request.cookies.get(DEVICE_COOKIE) ?? "").split(".");
  if (!TOKEN.test(device) || !equalInConstantTime(signature, signDevice(ctx, device, issued, owner))) return null;
  return ctx.now() - Number(issued) < DEVICE_LIFETIME ? device : null;
}

/**
 * Only after a sign-in with all factors, or a first password after proving the address. A marked browser keeps its id.
 */
export function rememberDevice(
  ctx: Pick<Ctx, "request" | "config" | "now" | "newToken" | "setCookie">,
  owner: DeviceOwner,
): void {
  const device = knownDevice(ctx, owner) ?? ctx.newToken();
  const issued = String(ctx.now());
  setCookie(ctx, DEVICE_COOKIE, `${device}.${issued}.${signDevice(ctx, device, issued, owner)}`, DEVICE_LIFETIME);
}

const signDevice = (ctx: Pick<Ctx, "config">, device: string, issued: string, { userId, epoch }: DeviceOwner) =>
  keyedHash(ctx.config.FORM_KEY_1, "known-device/v2", [device, issued, userId, epoch].join("\n"));

export type LinkPurpose = "verify_email" | "reset" | "email_change" | "email_undo" | "not_me" | "mfa_setup";

/** Each has its own, so that one link does not replace another. */
export type OpenedLink = LinkPurpose | "invitation";

const LINK_COOKIES: Record<OpenedLink, string> = {
  verify_email: "__Host-vfy",
  reset: "__Host-rst",
  email_change: "__Host-emc",
  email_undo: "__Host-emu",
  not_me: "__Host-nme",
  mfa_setup: "__Host-stp",
  invitation: "__Host-inv",
};

const LINK_COOKIE_LIFETIME: Duration = minutes(15);
const INVITATION_COOKIE_LIFETIME: Duration = minutes(60);

export const isLinkToken = (text: string): boolean => TOKEN.test(text);

export const linkTokenOf = (ctx: CookieReader, purpose: OpenedLink): string | null =>
  tokenIn(ctx, LINK_COOKIES[purpose]);

export const setLinkCookie = (ctx: CookieWriter, purpose: OpenedLink, token: string): void =>
  setCookie(
    ctx,
    LINK_COOKIES[purpose],
    token,
    purpose === "invitation" ? INVITATION_COOKIE_LIFETIME : LINK_COOKIE_LIFETIME,
  );

export const deleteLinkCookie = (ctx: CookieWriter, purpose: OpenedLink): void =>
  setCookie(ctx, LINK_COOKIES[purpose], "", 0);

const UNSENT_FORM_COOKIE = "__Host-hld";

export const UNSENT_FORM_LIFETIME: Duration = minutes(30);

export const unsentFormIdOf = (ctx: CookieReader): string | null => tokenIn(ctx, UNSENT_FORM_COOKIE);

export const setUnsentFormCookie = (ctx: CookieWriter, id: string): void =>
  setCookie(ctx, UNSENT_FORM_COOKIE, id, UNSENT_FORM_LIFETIME);

export const deleteUnsentFormCookie = (ctx: CookieWriter): void => setCookie(ctx, UNSENT_FORM_COOKIE, "", 0);

export const withUnsentForm = (ctx: Ctx, id: string): Ctx => ({
  ...ctx,
  request: { ...ctx.request, cookies: new Map(ctx.request.cookies).set(UNSENT_FORM_COOKIE, id) },
});

const SIGN_UP_COOKIE = "__Host-sup";

export const setSignUpCookie = (ctx: CookieWriter, id: string, lifetime: Duration): void =>
  setCookie(ctx, SIGN_UP_COOKIE, id, lifetime);

export const signUpIdOf = (ctx: CookieReader): string | null => tokenIn(ctx, SIGN_UP_COOKIE);

export const deleteSignUpCookie = (ctx: CookieWriter): void => setCookie(ctx, SIGN_UP_COOKIE, "", 0);

const CODES_COOKIE = "__Host-codes";

export const setCodesCookie = (ctx: CookieWriter, encrypted: string): void =>
  setCookie(ctx, CODES_COOKIE, encrypted, minutes(10));

export const codesCookieOf = (ctx: CookieReader): string | null => ctx.request.cookies.get(CODES_COOKIE) ?? null;

export const deleteCodesCookie = (ctx: CookieWriter): void => setCookie(ctx, CODES_COOKIE, "", 0);

const SENT_FORM_COOKIE = "__Host-sent";

const SENT_FORM_LIFETIME: Duration = minutes(30);

const NONCE = /^[\w-]{22}$/;

/** So the receipt is shown in this browser only. Format: `<nonce of the form token>.<issued, ms>.<signature>`. */
export function rememberSentForm(ctx: Pick<Ctx, "config" | "now" | "setCookie">, nonce: string): void {
  const issued = String(ctx.now());
  setCookie(ctx, SENT_FORM_COOKIE, `${nonce}.${issued}.${signSentForm(ctx, nonce, issued)}`, SENT_FORM_LIFETIME);
}

/** Reads the nonce of the form that this browser has just sent. Null: it has sent none, or not lately. */
export function sentFormNonceOf(ctx: Pick<Ctx, "config" | "now" | "request">): string | null {
  const [nonce = "", issued = "", signature = ""] = (ctx.request.cookies.get(SENT_FORM_COOKIE) ?? "").split(".");
  if (!NONCE.test(nonce) || !equalInConstantTime(signature, signSentForm(ctx, nonce, issued))) return null;
  return ctx.now() - Number(issued) < SENT_FORM_LIFETIME ? nonce : null;
}

const signSentForm = (ctx: Pick<Ctx, "config">, nonce: string, issued: string) =>
  keyedHash(ctx.config.FORM_KEY_1, "sent-form/v1", `${nonce}\n${issued}`);

const FRAME_COOKIE = "__Host-frame";

/** Remembers which area somebody with both came from to their personal pages, until the browser is closed. */
export const setFrameCookie = (ctx: CookieWriter, area: "admin" | "portal"): void =>
  setCookie(ctx, FRAME_COOKIE, area, null);

export function frameCookieOf(ctx: CookieReader): "admin" | "portal" | null {
  const area = ctx.request.cookies.get(FRAME_COOKIE);
  return area === "admin" || area === "portal" ? area : null;
}

const THEME_COOKIE = "__Host-theme";
const THEME_LIFETIME = days(365);

/** It does not identify them, so pages may be cached once per theme. */
export const themeCookieOf = (cookies: ReadonlyMap<string, string>): Theme => parseTheme(cookies.get(THEME_COOKIE));

export const saveTheme = (ctx: Pick<Ctx, "setCookie">, theme: Theme): void =>
  theme === "system" ? setCookie(ctx, THEME_COOKIE, "", 0) : setCookie(ctx, THEME_COOKIE, theme, THEME_LIFETIME);
