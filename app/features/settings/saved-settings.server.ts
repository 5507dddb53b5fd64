import { seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { setCookie } from "~/platform/cookies.server";
import { equalInConstantTime, keyedHash } from "~/platform/crypto.server";
import { findPublicSettings } from "./queries.server";

const COOKIE = "__Host-settings";

/** Sets how long the cookie lasts: as long as isolates and KV may still have the settings of before. */
const LIFETIME = seconds(90);

/** Remembers in this browser which version of the published settings it has saved. */
export function rememberSavedVersion(ctx: Pick<Ctx, "config" | "setCookie">, version: number): void {
  setCookie(ctx, COOKIE, `${version}.${sign(ctx, version)}`, LIFETIME);
}

/**
 * Returns the reader of published settings for a request: of a browser that has just saved newer ones than are
 * published here, it reads the database, so that whoever has saved sees it on the next page. Everybody else follows
 * within a minute. While the database does not respond, what is published counts.
 */
export function settingsAsSaved(
  ctx: Pick<Ctx, "config" | "db" | "publishedSettings" | "request">,
): Ctx["publishedSettings"] {
  const version = savedVersionOf(ctx);
  if (version === null) return ctx.publishedSettings;
  const { db, publishedSettings } = ctx;
  const read = async () => {
    const published = await publishedSettings();
    return published.version >= version ? published : findPublicSettings(db).catch(() => published);
  };
  let settings: ReturnType<typeof read> | undefined;
  return () => {
    settings ??= read();
    return settings;
  };
}

/** Reads which version this browser has saved. Null: none lately, or the cookie is not ours. */
function savedVersionOf(ctx: Pick<Ctx, "config" | "request">): number | null {
  const [version = "", signature = ""] = (ctx.request.cookies.get(COOKIE) ?? "").split(".");
  return signature && equalInConstantTime(signature, sign(ctx, Number(version))) ? Number(version) : null;
}

const sign = (ctx: Pick<Ctx, "config">, version: number) =>
  keyedHash(ctx.config.FORM_KEY_1, "saved-settings/v1", String(version));
