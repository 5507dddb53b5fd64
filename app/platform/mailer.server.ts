import type { Db } from "~/db/client.server";
import { capturedMails } from "~/db/schema/outbox";
import { isEmailAddress } from "~/lib/email";
import { type Instant, minutes, seconds } from "~/lib/time";
import type { Bindings, Config } from "./env.server";

export type OutgoingMail = {
  /** Holds the outbox id; also the idempotency key for providers that support one. */
  id: string;
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  files?: readonly { name: string; type: string; bytes: Uint8Array }[];
};

/** Reasons are codes, never messages of the provider, which may contain an address. */
export type SendOutcome =
  /** `messageId`: the one that the provider has given the mail, which replaces any other. */
  | { kind: "sent"; messageId?: string }
  | { kind: "transient"; reason: string }
  /** Tells that mails come too fast: retried soon, and never given up for it. */
  | { kind: "rate_limited"; reason: string }
  /** Tells that the quota is used up, so that no mail can leave for hours. */
  | { kind: "quota"; reason: string }
  | { kind: "configuration"; reason: string }
  | { kind: "permanent"; reason: string }
  /** Tells that the provider sends nothing to this address for a time, because mail to it came back. */
  | { kind: "suppressed"; reason: string }
  | { kind: "unknown"; reason: string };

export type Mailer = {
  provider: Config["MAIL_PROVIDER"];
  /** If not, a person must decide about an unknown outcome. */
  isIdempotent: boolean;
  /** Does not throw when the provider is unreachable: that is an outcome. */
  send: (mail: OutgoingMail) => Promise<SendOutcome>;
};

/** It sends no mail in which a value adds a header or a recipient. */
export function mailerFor(env: Bindings, config: Config, db: Db, now: () => Instant): Mailer {
  const mailer = providerFor(env, config, db, now);
  return {
    ...mailer,
    send: async (mail) => {
      const problem = problemOf(mail);
      return problem ? { kind: "permanent", reason: problem } : mailer.send(mail);
    },
  };
}

function providerFor(env: Bindings, config: Config, db: Db, now: () => Instant): Mailer {
  switch (config.MAIL_PROVIDER) {
    case "capture":
      return { provider: "capture", isIdempotent: true, send: (mail) => capture(db, mail, now()) };
    case "http":
      return { provider: "http", isIdempotent: true, send: (mail) => post(config, mail) };
    case "cloudflare":
      return { provider: "cloudflare", isIdempotent: false, send: (mail) => sendThroughBinding(env.MAIL, mail) };
  }
}

const CONTROL = /\p{Cc}/u;
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,99}$/;

/** Returns why a mail must not be sent, or null. A line break in a value could start a header chosen by a visitor. */
function problemOf({ to, from, subject, headers, files = [] }: OutgoingMail): string | null {
  if (!isEmailAddress(to)) return "invalid_recipient";
  const entries = Object.entries(headers);
  const isClean =
    ![from, subject, ...entries.map(([, value]) => value), ...files.map(({ name }) => name)].some((value) =>
      CONTROL.test(value),
    ) && entries.every(([name]) => HEADER_NAME.test(name));
  return isClean ? null : "invalid_header";
}

/** Stores the mail instead of sending it, for /dev/mail. A mail that is sent twice is one row. */
async function capture(db: Db, mail: OutgoingMail, at: Instant): Promise<SendOutcome> {
  const { headers, files, ...rest } = mail;
  const shown = files ? { ...headers, Attached: files.map(({ name }) => name).join(", ") } : headers;
  await db
    .insert(capturedMails)
    .values({ ...rest, headers_json: JSON.stringify(shown), created_at: at })
    .onConflictDoNothing();
  return { kind: "sent", messageId: withoutBrackets(headers["Message-ID"]) };
}

const withoutBrackets = (id: unknown): string | undefined =>
  typeof id === "string" && id !== "" ? id.replace(/^<|>$/g, "").slice(0, 200) : undefined;

/** Sends through a JSON API that supports `Idempotency-Key`: sending again after a lost response is safe. */
async function post({ MAIL_API_URL, MAIL_API_KEY }: Config, mail: OutgoingMail): Promise<SendOutcome> {
  if (!MAIL_API_URL || !MAIL_API_KEY) return { kind: "configuration", reason: "not_configured" };
  const { id, files, ...content } = mail;
  const attachments = files?.map(({ name, type, bytes }) => ({
    ...{ filename: name, content_type: type, content: Buffer.from(bytes).toString("base64") },
  }));
  const body = { ...content, ...(attachments ? { attachments } : {}) };
  try {
    const response = await fetch(MAIL_API_URL, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${MAIL_API_KEY}`,
        "Content-Type": "application/json",
        "Idempotency-Key": id,
      },
      body: JSON.stringify(body),
      // A redirect would send the key to another host.
      redirect: "manual",
      signal: AbortSignal.timeout(seconds(10)),
    });
    if (response.status === 429) return await outcomeOfRefusal(response);
    const outcome = outcomeOfStatus(response.status);
    if (outcome.kind === "sent") return { ...outcome, messageId: await idOf(response) };
    await response.body?.cancel();
    return outcome;
  } catch (error) {
    const timedOut = error instanceof Error && error.name === "TimeoutError";
    return { kind: "unknown", reason: timedOut ? "timeout" : "unreachable" };
  }
}

/** The mail has left: an answer that cannot be read makes no difference. */
async function idOf(response: Response): Promise<string | undefined> {
  try {
    return withoutBrackets(((await response.json()) as { id?: unknown } | null)?.id);
  } catch {
    return undefined;
  }
}

const QUOTA_WAIT = minutes(10);

/** Providers answer 429 both for a used-up quota and for mails that come too fast: the body or the wait tells. */
async function outcomeOfRefusal(response: Response): Promise<SendOutcome> {
  const text = await response.text();
  const wait = seconds(Number(response.headers.get("retry-after") ?? 0));
  if (/monthly/i.test(text)) return { kind: "quota", reason: "http_429_monthly" };
  if (/quota|daily/i.test(text) || wait >= QUOTA_WAIT) return { kind: "quota", reason: "http_429_quota" };
  return { kind: "rate_limited", reason: "http_429" };
}

function outcomeOfStatus(status: number): SendOutcome {
  const reason = `http_${status}`;
  if (status >= 200 && status < 300) return { kind: "sent" };
  if (status === 401 || status === 403 || status < 400) return { kind: "configuration", reason };
  if (status === 408 || status >= 500) return { kind: "transient", reason };
  return { kind: "permanent", reason };
}

/** Lists the headers that the platform sets itself; it rejects them in a mail (`E_HEADER_NOT_ALLOWED`). */
const PLATFORM_HEADERS = ["Message-ID", "Reply-To"];

/** It has no idempotency key, so an unknown outcome must not be retried. */
async function sendThroughBinding(binding: SendEmail | undefined, mail: OutgoingMail): Promise<SendOutcome> {
  if (!binding) return { kind: "configuration", reason: "not_configured" };
  const headers = Object.fromEntries(Object.entries(mail.headers).filter(([name]) => !PLATFORM_HEADERS.includes(name)));
  const { to, from, subject, text, html, files } = mail;
  const attachments = files?.map(({ name, type, bytes }) => ({
    ...{ disposition: "attachment" as const, filename: name, type, content: bytes },
  }));
  try {
    const { "Reply-To": replyTo } = mail.headers;
    const content = { from: mailbox(from), subject, text, html, replyTo, headers };
    const sent = await binding.send({ to, ...content, ...(attachments ? { attachments } : {}) });
    return { kind: "sent", messageId: withoutBrackets(sent?.messageId) };
  } catch (error) {
    return outcomeOfCode(codeOf(error));
  }
}

function mailbox(from: string): string | EmailAddress {
  const match = /^(.*\S)\s*<([^<>]+)>$/.exec(from);
  if (!match?.[1] || !match[2]) return from;
  // In quotes a name may hold what else ends it.
  return { name: match[1].replace(/^"(.*)"$/, "$1").replace(/\\(.)/g, "$1"), email: match[2] };
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : "";
  return /\bE_[A-Z_]+\b/.exec(`${code} ${message}`)?.[0] ?? "no_code";
}

const OUTCOME_KINDS: Record<string, Exclude<SendOutcome["kind"], "sent">> = {
  E_RATE_LIMIT_EXCEEDED: "rate_limited",
  E_INTERNAL_SERVER_ERROR: "transient",
  E_DELIVERY_FAILED: "transient",
  E_DAILY_LIMIT_EXCEEDED: "quota",
  E_SENDER_NOT_VERIFIED: "configuration",
  E_SENDER_DOMAIN_NOT_AVAILABLE: "configuration",
  E_VALIDATION_ERROR: "permanent",
  E_FIELD_MISSING: "permanent",
  E_TOO_MANY_RECIPIENTS: "permanent",
  E_CONTENT_TOO_LARGE: "permanent",
  E_RECIPIENT_SUPPRESSED: "suppressed",
  E_RECIPIENT_NOT_ALLOWED: "permanent",
};

function outcomeOfCode(code: string): SendOutcome {
  const kind = OUTCOME_KINDS[code] ?? (code.startsWith("E_HEADER") ? "permanent" : "unknown");
  return { kind, reason: code };
}
