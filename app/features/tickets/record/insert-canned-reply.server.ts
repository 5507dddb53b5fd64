import type { Brand } from "~/content/brand";
import type { StaffActor } from "~/features/auth/guards.server";
import { countUse } from "~/features/canned-replies/actions.server";
import { appended, fillIn, insertedAt, PROPOSALS, type Variable } from "~/features/canned-replies/model";
import { findCannedReply } from "~/features/canned-replies/queries.server";
import { effectiveBrand, getSettings } from "~/features/settings/queries.server";
import { momentInWords } from "~/lib/due";
import { firstNameOf } from "~/lib/person-name";
import { referenceNumber } from "~/lib/reference-number";
import { fail, ok, type Result } from "~/lib/result";
import type { Ctx } from "~/platform/context.server";
import { findTicketForStaff, type StoredTicket } from "../queries.server";
import type { Inserted } from "./model";

type Asked = {
  /** Holds the number or id of the ticket. */
  ref: string;
  replyId: string;
  /** Says what was written so far. */
  draft: string;
  /** Holds the place in it; null: its end. */
  caret: number | null;
};

/** Returns a text with a canned reply in it, filled in for the ticket. */
export async function insertCannedReply(
  ctx: Ctx,
  actor: StaffActor,
  { ref, replyId, draft, caret }: Asked,
): Promise<Result<Inserted & { text: string }, "ticket_not_found" | "reply_not_found">> {
  const [ticket, reply, { timeZone: zone }, site] = await Promise.all([
    findTicketForStaff(ctx.db, ref),
    findCannedReply(ctx.db, replyId, actor.userId),
    getSettings(ctx.db),
    effectiveBrand(ctx),
  ]);
  if (!ticket) return fail("ticket_not_found");
  if (!reply) return fail("reply_not_found");
  await countUse(ctx.db, reply.id);
  const values = valuesOf(ticket, { agent: actor.fullName, site, nextReply: nextReply(ticket, ctx.now(), zone) });
  const text = fillIn(reply.message, values);
  return ok({
    id: ctx.newId("ins"),
    text: caret === null ? appended(draft, text) : insertedAt(draft, text, caret),
    isAtEnd: caret === null,
    proposal: reply.status && PROPOSALS[reply.status],
  });
}

/** Says until when a reply is promised; without a promise, that it will be soon. */
const nextReply = ({ promise: { dueAt } }: StoredTicket, now: number, zone: string): string =>
  dueAt === null || dueAt <= now ? "soon" : momentInWords(dueAt, now, zone);

type Facts = { agent: string; site: Pick<Brand, "name" | "phone">; nextReply: string };

const valuesOf = (ticket: StoredTicket, { agent, site, nextReply: reply }: Facts): Record<Variable, string> => ({
  "client.first_name": firstNameOf(ticket.creator.name),
  "ticket.number": referenceNumber("ticket", ticket.number),
  "ticket.subject": ticket.title,
  "org.name": ticket.organization.name,
  "agent.first_name": firstNameOf(agent),
  "promise.next_reply": reply,
  "site.name": site.name,
  "site.phone": site.phone?.display ?? "",
});
