import { type Theme, themeFrom } from "~/lib/theme";
import { days } from "~/lib/time";
import type { Ctx } from "./context.server";
import { setCookie } from "./cookies.server";

const COOKIE = "__Host-theme";
const LIFETIME = days(365);

/** The theme a reader has chosen. It says nothing about who they are, so pages may be kept once per theme. */
export const themeOf = (cookies: ReadonlyMap<string, string>): Theme => themeFrom(cookies.get(COOKIE));

/** Keeps the choice in this browser for a year. To follow the system is to have chosen nothing, and leaves no cookie. */
export const keepTheme = (ctx: Ctx, theme: Theme): void =>
  theme === "system" ? setCookie(ctx, COOKIE, "", 0) : setCookie(ctx, COOKIE, theme, LIFETIME);
