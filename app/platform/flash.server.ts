import type { FlashMessage } from "~/lib/form";
import { seconds } from "~/lib/time";
import type { Ctx } from "./context.server";
import { setCookie } from "./cookies.server";
import { equalInConstantTime, keyedHash } from "./crypto.server";

export type { FlashMessage };

export const FLASH_COOKIE = "__Host-toast";
const LIFETIME = seconds(60);
const KINDS: readonly string[] = ["success", "error", "info", "warning"];

export function setFlash(ctx: Pick<Ctx, "config" | "now" | "setCookie">, flash: FlashMessage): void {
  setCookie(ctx, FLASH_COOKIE, flashValue(ctx, flash), LIFETIME);
}

export function flashValue(ctx: Pick<Ctx, "config" | "now">, flash: FlashMessage): string {
  const body = Buffer.from(JSON.stringify([flash.kind, flash.title, flash.message, ctx.now()])).toString("base64url");
  return `${body}.${sign(ctx, body)}`;
}

/**
 * Never for the data of a page that is open already: the message is for the document after a form, and such a page,
 * which may read its data at any time and for any tab, would take it away.
 */
export function takeFlash(ctx: Pick<Ctx, "config" | "now" | "request" | "setCookie">): FlashMessage | null {
  if (ctx.request.url.searchParams.has("_data")) return null;
  const [body, signature] = (ctx.request.cookies.get(FLASH_COOKIE) ?? "").split(".");
  if (!body) return null;
  setCookie(ctx, FLASH_COOKIE, "", 0);
  if (!signature || !equalInConstantTime(signature, sign(ctx, body))) return null;
  const [kind, title, message, at] = JSON.parse(Buffer.from(body, "base64url").toString()) as [
    string,
    string,
    string,
    number,
  ];
  if (!KINDS.includes(kind) || ctx.now() - at > LIFETIME) return null;
  return { kind: kind as FlashMessage["kind"], title, message };
}

export function keepUnshownFlash({ status }: Response, cookies: readonly string[]): readonly string[] {
  const isPage = status < 300 || (status >= 400 && status < 500);
  return isPage ? cookies : cookies.filter((cookie) => !cookie.startsWith(`${FLASH_COOKIE}=;`));
}

const sign = (ctx: Pick<Ctx, "config">, body: string) => keyedHash(ctx.config.FORM_KEY_1, "flash/v1", body);
