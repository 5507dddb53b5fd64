import { eq } from "drizzle-orm";
import { outbox } from "~/db/schema/outbox";
import { enqueueMail, recipientHash } from "~/features/mail/enqueue-mail.server";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { makeSubmission, together } from "./factories";

let recipients = 0;

type Queued = { to?: string; submissionId?: string; notBefore?: Instant };

async function addMail(ctx: Ctx, options: Queued): Promise<{ id: string; to: string }> {
  recipients += 1;
  const [id, to] = [ctx.newId("mail"), options.to ?? `visitor${recipients}@larkspur.example`];
  const submissionId = options.submissionId ?? (await makeSubmission(ctx, { email: to })).id;
  const about = { type: "submission" as const, id: submissionId };
  const data = { firstName: "Priya", message: null, estimate: [], replyBy: null };
  enqueueMail(ctx, "submission-received", { id, to, about, data, notBefore: options.notBefore });
  return { id, to };
}

/** Queues the confirmation mail of a submission, as the contact form does. Returns its outbox id and recipient. */
export const queueMail = (ctx: Ctx, options: Queued = {}) => together(ctx, (all) => addMail(all, options));

/** Queues confirmation mails, each of a submission of its own; returns their ids in the order in which they leave. */
export const queueMails = (ctx: Ctx, count: number): Promise<string[]> =>
  together(ctx, async (all) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push((await addMail(all, {})).id);
    return ids;
  });

/** Returns the row of a queued mail. */
export async function mailRow(ctx: Ctx, id: string) {
  const [row] = await ctx.db.select().from(outbox).where(eq(outbox.id, id));
  if (!row) throw new Error(`No mail ${id}`);
  return row;
}

/** Stores a mail about a ticket as one that has left; returns its id. */
export async function makeSentMail(
  ctx: Ctx,
  { to, ticketId, ...columns }: { to?: string; ticketId: string } & Partial<typeof outbox.$inferInsert>,
): Promise<string> {
  const id = columns.id ?? ctx.newId("mail");
  const sent = { kind: "ticket-update", priority: 1, status: "sent", next_at: 0, created_at: 0 } as const;
  const about = { subject_type: "ticket", subject_id: ticketId, to_hash: to ? recipientHash(ctx, to) : "" } as const;
  await ctx.db.insert(outbox).values({ id, ...sent, ...about, ...columns });
  return id;
}
