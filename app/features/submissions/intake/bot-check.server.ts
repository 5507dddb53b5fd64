import { mailboxOf } from "~/lib/email";
import type { HeldReason } from "~/lib/held-reason";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";
import { takeLimit } from "~/platform/rate-limit.server";
import { verifyTurnstile } from "~/platform/turnstile.server";
import { looksLikeAdvertising } from "../model";

export const CONTACT_PURPOSE = "contact";

/** Names the honeypot: a field no person sees. It must come back, and come back empty. */
export const HONEYPOT_FIELD = "website";

type BotCheckInput = {
  fields: Record<string, string>;
  /** Holds the nonce of the form token, which has been checked. */
  nonce: string;
  email: string;
  message: string | null;
};

/** Holds what the checks have found. `checkAddress`: the last of them, which is left to run beside other reads. */
type Checked = { nonce: string; held: HeldReason | null; checkAddress?: () => Promise<HeldReason | null> };

/**
 * Decides whether a submission is rejected, accepted, or accepted and held for review. Every layer works without
 * JavaScript; doubt never loses a submission, it only holds it back from being counted and mailed.
 */
export async function checkForBots(
  ctx: Pick<Ctx, "config" | "db" | "now" | "request">,
  { fields, nonce, email, message }: BotCheckInput,
): Promise<Result<Checked, "security_check">> {
  const turnstile = await verifyTurnstile(ctx, fields["cf-turnstile-response"], nonce);
  if (turnstile === "failed") return fail("security_check");

  if (fields[HONEYPOT_FIELD] !== "") return ok({ nonce, held: "honeypot" });
  if (looksLikeAdvertising(message ?? "")) return ok({ nonce, held: "content" });
  if (turnstile === "absent") return ok({ nonce, held: "no_bot_token" });
  if (turnstile === "unreachable") return ok({ nonce, held: "bot_service_down" });

  return ok({ nonce, held: null, checkAddress: () => countAddress(ctx, email) });
}

/** Counts a submission of an address, in the round trip of the reads that are asked for beside it. */
async function countAddress(ctx: Pick<Ctx, "config" | "db" | "now">, email: string): Promise<HeldReason | null> {
  const address = keyedHash(ctx.config.LOG_HMAC_KEY, "contact-address", mailboxOf(email));
  const counting = { select: ctx.db.select, insert: ctx.db.insertBesideReads };
  const limit = await takeLimit(counting, "contact_addr", address, ctx.now());
  return limit.allowed ? null : "too_many";
}
