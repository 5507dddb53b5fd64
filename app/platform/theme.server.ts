import { parseTheme, type Theme } from "~/lib/theme";
import { days } from "~/lib/time";
import type { Ctx } from "./context.server";
import { setCookie } from "./cookies.server";

const COOKIE = "__Host-theme";
const LIFETIME = days(365);

/** Reads the theme that a visitor has chosen. It does not identify them, so pages may be cached once per theme. */
export const themeCookieOf = (cookies: ReadonlyMap<string, string>): Theme => parseTheme(cookies.get(COOKIE));

/** Saves the theme in this browser for a year. `system` is the default and deletes the cookie. */
export const saveTheme = (ctx: Pick<Ctx, "setCookie">, theme: Theme): void =>
  theme === "system" ? setCookie(ctx, COOKIE, "", 0) : setCookie(ctx, COOKIE, theme, LIFETIME);
