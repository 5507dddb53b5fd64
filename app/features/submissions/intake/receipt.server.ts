import { and, eq } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { idempotency } from "~/db/schema/infrastructure";
import { contactSubmissions } from "~/db/schema/submissions";
import { isMailDelayed } from "~/features/mail/mail-pause.server";
import type { Estimate } from "~/features/pricing/estimate";
import { readStoredEstimate } from "~/features/pricing/stored-estimate.server";
import { getSettings } from "~/features/settings/queries.server";
import { describeError } from "~/lib/describe-error";
import { referenceNumber } from "~/lib/reference-number";
import type { Ctx } from "~/platform/context.server";
import { sentFormNonceOf } from "~/platform/cookies.server";
import { promisedTime } from "../reply-target";

/** Names contact forms among the posts that run once. */
export const CONTACT_SCOPE = "contact";

/** Holds what a visitor is told who has just sent the form. */
export type Receipt = {
  /** Holds the reference number, shown as `L-1001`. */
  number: string;
  /** Says when we reply at the latest, in words. */
  replyBy: string;
  estimate: Estimate | null;
  /** Tells whether mail is delayed now, and so the copy of the message. */
  isMailDelayed: boolean;
};

/**
 * Returns the receipt of the form that this browser has just sent. Null when it has sent none, or when what it sent was
 * deleted since. `receipt` is null while the database does not respond: then the page says only that it was sent.
 */
export async function findSentReceipt(
  ctx: Pick<Ctx, "config" | "db" | "now" | "request" | "log">,
): Promise<{ receipt: Receipt | null } | null> {
  const nonce = sentFormNonceOf(ctx);
  if (!nonce) return null;
  try {
    const [sent, settings, isDelayed] = await Promise.all([
      findSent(ctx.db, nonce),
      getSettings(ctx.db),
      isMailDelayed(ctx),
    ]);
    if (!sent) return null;
    return {
      receipt: {
        number: referenceNumber("submission", sent.number),
        replyBy: promisedTime(settings.timeZone, sent.replyDueAt),
        estimate: readStoredEstimate(sent.estimateJson),
        isMailDelayed: isDelayed,
      },
    };
  } catch (error) {
    ctx.log("warn", { event: "receipt_not_read", request_id: ctx.request.id, error: describeError(error) });
    return { receipt: null };
  }
}

/** Finds what was stored for a form; the claim of its nonce names the submission. */
async function findSent(db: Db, nonce: string) {
  const t = contactSubmissions;
  const [row] = await db
    .select({ number: t.number, replyDueAt: t.reply_due_at, estimateJson: t.estimate_json })
    .from(idempotency)
    .innerJoin(t, eq(t.id, idempotency.result_location))
    .where(and(eq(idempotency.key, nonce), eq(idempotency.scope, CONTACT_SCOPE)))
    .limit(1);
  return row ?? null;
}
