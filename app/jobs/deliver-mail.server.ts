import { CLAIM_SIZE, hasDueMail } from "~/features/mail/claim-outbox.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { JobReport } from "./job";

/** Limits how long a run claims mails and begins to send them, because the next one starts after a minute. */
const CLAIM_TIMEOUT = seconds(30);

/** Sends the due mails of the outbox, twenty at a time. */
export async function deliverMail(ctx: Ctx): Promise<JobReport> {
  const startedAt = ctx.now();
  let count = 0;
  const timeLeft = () => CLAIM_TIMEOUT - (ctx.now() - startedAt);
  for (let rounds = 0; rounds < 10 && timeLeft() > 0; rounds += 1) {
    if (rounds > 0 ? ctx.budget.isUsedUp() : !(await hasDueMail(ctx))) break;
    const { claimed, sent } = await deliverOutbox(ctx, { beginWithin: timeLeft() });
    count += sent;
    if (claimed < CLAIM_SIZE) break;
  }
  return { count };
}
