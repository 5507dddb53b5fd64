import * as z from "zod";
import type { LiveHub } from "~/live/hub.server";

export type Bindings = {
  DB: D1Database;
  SESSIONS: KVNamespace;
  FILES: R2Bucket;
  ASSETS: Fetcher;
  LIVE: DurableObjectNamespace<LiveHub>;
  MAIL?: SendEmail;
  RL_SESSION?: RateLimit;
  RL_ADDRESS?: RateLimit;
} & Record<string, unknown>;

/** Accepts a key of at least 32 bytes in base64. A shorter one could be guessed or is a placeholder. */
const key = z.base64().refine((text) => atob(text).length >= 32, "must hold at least 32 bytes");

const optionalText = z
  .string()
  .optional()
  .transform((text) => (text ? text : undefined));

const Variables = z.object({
  /** `rehearsal`: as `production`, but that no mail leaves. */
  APP_ENV: z.enum(["production", "rehearsal", "local", "test"]).default("production"),
  APP_ORIGIN: z.url().transform((text) => new URL(text).origin),
  MAIL_PROVIDER: z.enum(["capture", "http", "cloudflare"]).default("cloudflare"),
  MAIL_FROM: z.string().default("Wrenfield <hello@wrenfield.example>"),
  /** Without it no mail asks to be answered by mail. */
  MAIL_INBOUND_DOMAIN: optionalText,
  MAIL_DKIM_SELECTOR: optionalText,
  /** Is not checked here: Settings → Advanced says what is wrong. In `wrangler.toml` it may be a number. */
  MAIL_DAILY_LIMIT: z
    .unknown()
    .optional()
    .transform((value) => (value === undefined || value === "" ? undefined : String(value))),
  /** Holds the address of a service that answers questions about DNS records over HTTPS, in JSON. */
  DNS_API_URL: z.url().default("https://cloudflare-dns.com/dns-query"),
  MAIL_API_URL: optionalText,
  MAIL_API_KEY: optionalText,
  TURNSTILE_SITE_KEY: optionalText,
  TURNSTILE_SECRET: optionalText,
  TURNSTILE_VERIFY_URL: z.string().default("https://challenges.cloudflare.com/turnstile/v0/siteverify"),
  /** Length and block list still apply. */
  PASSWORD_COMPOSITION: z.enum(["0", "1"]).default("1"),
  PWNED_CHECK: z.enum(["0", "1"]).default("0"),
  PWNED_API_URL: z.url().default("https://api.pwnedpasswords.com/range/"),
  PASSWORD_PEPPER_1: key,
  /** Two of them while one replaces the other. */
  DATA_KEK_1: key.optional(),
  DATA_KEK_2: key.optional(),
  /** Without it: the only one there is, or the second. */
  DATA_KEK_CURRENT: z.enum(["1", "2"]).optional(),
  /** Neither is checked here: a site without backups is better than no site. Settings → Advanced says what is wrong. */
  BACKUP_PUBLIC_KEY: optionalText,
  BACKUP_FETCH_KEY: optionalText,
  FORM_KEY_1: key,
  LOG_HMAC_KEY: key,
});

export type Config = z.output<typeof Variables>;

export const isDeployed = ({ APP_ENV }: Pick<Config, "APP_ENV">): boolean =>
  APP_ENV === "production" || APP_ENV === "rehearsal";

export const currentKeyId = ({
  DATA_KEK_CURRENT,
  DATA_KEK_2,
}: Pick<Config, "DATA_KEK_CURRENT" | "DATA_KEK_2">): "1" | "2" => DATA_KEK_CURRENT ?? (DATA_KEK_2 ? "2" : "1");

type ConfigResult = { ok: true; config: Config } | { ok: false; problems: string[] };

const results = new WeakMap<object, ConfigResult>();

/** Problems name the variable and never its value. A weak key is worse than an outage: 503 until they are solved. */
export function readConfig(env: Bindings): ConfigResult {
  const cached = results.get(env);
  if (cached) return cached;
  const result = parse(env);
  results.set(env, result);
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
    problems.push("MAIL_PROVIDER: capture does not send mail and is not allowed in production");
  }
  if (config.APP_ENV === "rehearsal" && config.MAIL_PROVIDER !== "capture") {
    problems.push("MAIL_PROVIDER: must be capture in a rehearsal, which mails nobody");
  }
  const currentKey = `DATA_KEK_${currentKeyId(config)}` as const;
  if (!config[currentKey]) problems.push(`${currentKey}: is needed, as the key that encrypts`);
  if (config.MAIL_PROVIDER === "http" && !(config.MAIL_API_URL && config.MAIL_API_KEY)) {
    problems.push("MAIL_PROVIDER: http needs MAIL_API_URL and MAIL_API_KEY");
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config };
}
