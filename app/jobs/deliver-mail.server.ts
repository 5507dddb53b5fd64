import { CLAIM_SIZE } from "~/features/mail/claim-outbox.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

/** A run that is still going stops taking more: the next minute has a run of its own. */
const TIME_FOR_CLAIMS = seconds(30);

/** Drains the outbox, twenty mails at a time. */
export async function deliverMail(ctx: Ctx): Promise<JobReport> {
  const startedAt = ctx.now();
  let count = 0;
  for (let rounds = 0; rounds < 10 && ctx.now() - startedAt < TIME_FOR_CLAIMS; rounds += 1) {
    const { claimed, sent } = await deliverOutbox(ctx);
    count += sent;
    if (claimed < CLAIM_SIZE) break;
  }
  return { count };
}
