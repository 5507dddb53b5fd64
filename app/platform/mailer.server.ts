import type { Db } from "~/db/client.server";
import type { Instant } from "~/lib/time";
import type { Bindings, Config } from "./env.server";

/** A mail ready to leave: one recipient, plain text and simple HTML. */
export type OutgoingMail = {
  /** The outbox id; providers that know idempotency keys get it as theirs. */
  id: string;
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
};

export type SendOutcome =
  | { kind: "sent" }
  /** Worth trying again later. */
  | { kind: "transient"; reason: string }
  /** Wrong set-up (sender not verified, key refused): tried hourly, shown in red. */
  | { kind: "configuration"; reason: string }
  /** Will never work: no retry. */
  | { kind: "permanent"; reason: string };

export type Mailer = {
  provider: Config["MAIL_PROVIDER"];
  /** False when a repeated send cannot be recognized by the provider: an unknown outcome then waits for a person. */
  repeatable: boolean;
  send: (mail: OutgoingMail) => Promise<SendOutcome>;
};

export function mailerFor(_env: Bindings, config: Config, _db: Db, _now: () => Instant): Mailer {
  return { provider: config.MAIL_PROVIDER, repeatable: true, send: async () => ({ kind: "sent" }) };
}
