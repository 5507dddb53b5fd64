import { eq, sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import { enqueueMail, recipientHash } from "~/features/mail/enqueue-mail.server";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { makeSubmission } from "./factories";

let recipients = 0;

/** Queues the confirmation mail of a submission, as the contact form does. Returns its outbox id and recipient. */
export async function queueMail(
  ctx: Ctx,
  options: { to?: string; submissionId?: string; notBefore?: Instant } = {},
): Promise<{ id: string; to: string }> {
  recipients += 1;
  const to = options.to ?? `visitor${recipients}@larkspur.example`;
  const submissionId = options.submissionId ?? (await makeSubmission(ctx, { email: to })).id;
  const about = { type: "submission" as const, id: submissionId };
  const data = { firstName: "Priya", message: null, estimate: [], replyBy: null };
  await commit(ctx.db, [enqueueMail(ctx, "submission-received", { to, about, data, notBefore: options.notBefore })]);
  const [row] = await ctx.db.select({ id: outbox.id }).from(outbox).orderBy(sql`rowid desc`).limit(1);
  return { id: row?.id ?? "", to };
}

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
