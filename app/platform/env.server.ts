import * as z from "zod";
import type { LiveHub } from "~/live/hub.server";

/** The bindings of `wrangler.toml`, exactly as the runtime hands them over. */
export type Bindings = {
  DB: D1Database;
  SESSIONS: KVNamespace;
  FILES: R2Bucket;
  ASSETS: Fetcher;
  LIVE: DurableObjectNamespace<LiveHub>;
  MAIL?: SendEmail;
  RL_COARSE?: RateLimit;
} & Record<string, unknown>;

/** A key of 32 random bytes in base64. Anything shorter could be guessed or is a placeholder. */
const key = z.base64().refine((text) => atob(text).length >= 32, "must hold at least 32 bytes");

const optionalText = z
  .string()
  .optional()
  .transform((text) => (text ? text : undefined));

const Variables = z.object({
  APP_ENV: z.enum(["production", "local", "test"]).default("production"),
  APP_ORIGIN: z.url().transform((text) => new URL(text).origin),
  MAIL_PROVIDER: z.enum(["capture", "http", "cloudflare"]).default("cloudflare"),
  MAIL_FROM: z.string().default("Wrenfield <hello@wrenfield.example>"),
  MAIL_API_URL: optionalText,
  MAIL_API_KEY: optionalText,
  TURNSTILE_SITE_KEY: optionalText,
  TURNSTILE_SECRET: optionalText,
  TURNSTILE_VERIFY_URL: z.string().default("https://challenges.cloudflare.com/turnstile/v0/siteverify"),
  /** 0 drops the rule about kinds of characters and keeps length and block list. */
  PASSWORD_COMPOSITION: z.enum(["0", "1"]).default("1"),
  /** 1 asks a service for leaked passwords, by the first five characters of a hash; see `breached-password.server.ts`. */
  PWNED_CHECK: z.enum(["0", "1"]).default("0"),
  PWNED_API_URL: z.url().default("https://api.pwnedpasswords.com/range/"),
  PASSWORD_PEPPER_1: key,
  DATA_KEK_1: key,
  FORM_KEY_1: key,
  LOG_HMAC_KEY: key,
});

export type Config = z.output<typeof Variables>;

export type ConfigResult = { ok: true; config: Config } | { ok: false; problems: string[] };

const parsedBefore = new WeakMap<object, ConfigResult>();

/**
 * The variables, parsed once per isolate. Problems name the variable and never its value; the worker answers 503 until
 * they are mended, because a weak key is worse than an outage.
 */
export function readConfig(env: Bindings): ConfigResult {
  const known = parsedBefore.get(env);
  if (known) return known;
  const result = parse(env);
  parsedBefore.set(env, result);
  return result;
}

function parse(env: Bindings): ConfigResult {
  const parsed = Variables.safeParse(env);
  if (!parsed.success) {
    return { ok: false, problems: parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`) };
  }
  const config = parsed.data;
  const problems: string[] = [];
  if (config.APP_ENV === "production" && config.MAIL_PROVIDER === "capture") {
    problems.push("MAIL_PROVIDER: capture keeps mail from being sent and is refused in production");
  }
  if (config.MAIL_PROVIDER === "http" && !(config.MAIL_API_URL && config.MAIL_API_KEY)) {
    problems.push("MAIL_PROVIDER: http needs MAIL_API_URL and MAIL_API_KEY");
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config };
}
