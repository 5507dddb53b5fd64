import { can } from "~/access/policy";
import type { StaffActor } from "~/features/auth/guards.server";
import { estimateFacts } from "~/features/pricing/estimate-facts";
import { estimatePath } from "~/features/pricing/estimate-query";
import { readInSiteZone } from "~/features/settings/queries.server";
import { listStaff } from "~/features/users/queries.server";
import { STAFF_NEW_TICKET_PATH, withParams } from "~/lib/addresses";
import { HELD_WORDS } from "~/lib/held-reason";
import { justSent } from "~/lib/just-sent";
import type { Ctx } from "~/platform/context.server";
import { submissionList } from "../list/definition";
import { submissionRows } from "../list/definition.server";
import type { KnownSender, SubmissionRecord } from "../model";
import { findSubmission, listRepeats } from "../queries.server";
import { replyDue } from "../reply-target";
import { conversationView, readConversation } from "./conversation.server";
import { findFirstResponse, findKnownSender } from "./queries.server";
import { senderWords, shownEntry, sourceWords } from "./record-words";

/** Reads everything the page of a submission shows, in one round trip. Null when there is none of that id. */
export async function readRecord(
  { db, now }: Pick<Ctx, "db" | "now">,
  actor: StaffActor,
  { id, params }: { id: string; params: URLSearchParams },
) {
  const at = now();
  const filter = submissionList.readFilter(params);
  const [submission, conversation, repeats, sender, answeredAt, staff, { settings, value: neighbours }] =
    await Promise.all([
      findSubmission(db, id),
      readConversation(db, actor, { submissionId: id, ...conversationView(params) }),
      listRepeats(db, id),
      findKnownSender(db, id),
      findFirstResponse(db, id),
      listStaff(db),
      readInSiteZone(db, (zone) => submissionRows.neighbours(db, { filter, viewer: { actor, zone, now: at }, id })),
    ]);
  if (!submission) return null;
  const { replyDueAt: dueAt, status, heldReason } = submission;
  const zone = settings.timeZone;
  const due = heldReason ? null : replyDue({ zone, now: at, dueAt, isNew: status === "new", answeredAt });
  // The list's own code would be a tenth of the page's scripts.
  const list = { path: submissionList.pathTo(filter), query: submissionList.query(filter), ...neighbours };
  return {
    submission,
    conversation: { ...conversation, entries: conversation.entries.map((entry) => shownEntry(entry, zone)) },
    repeats,
    staff,
    zone,
    list,
    due,
    sent: justSent(
      conversation.entries.map((entry) => ({
        ...entry,
        isOwn: entry.kind === "reply" && entry.actorId === actor.userId,
      })),
      at,
    ),
    ticketPath: can(actor, "ticket.open") && !heldReason ? newTicketPath(submission, sender) : null,
    about: {
      held: heldReason && HELD_WORDS[heldReason],
      sender: sender ? senderWords(sender) : null,
      source: sourceWords(submission),
      estimate: submission.estimate
        ? { facts: estimateFacts(submission.estimate), path: estimatePath(submission.estimate.choice) }
        : null,
    },
  };
}

/**
 * Returns the address at which a ticket is opened from a submission: in the organization of whoever sent it, or else
 * with a search for the company they named.
 */
function newTicketPath({ id, company }: SubmissionRecord, sender: KnownSender | null): string {
  const organization = sender?.memberships.find(({ status }) => status === "active")?.organizationId;
  const path = withParams(STAFF_NEW_TICKET_PATH, { submission: id });
  if (organization) return withParams(path, { organization });
  return company ? withParams(path, { find: company }) : path;
}
