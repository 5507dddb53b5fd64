import { sql } from "drizzle-orm";
import type { Actor } from "~/access/model";
import type { Db } from "~/db/client.server";
import { listedNote } from "~/features/notes/listed-note.server";
import { listNotes } from "~/features/notes/queries.server";
import { capped } from "~/lib/capped-count";
import type { Instant } from "~/lib/time";
import { CONVERSATION_FILTERS, type Conversation, type ConversationEntry, type ConversationFilter } from "../model";
import { listReplies, listTimeline } from "./timeline.server";

/** Limits what is counted of a conversation. */
const COUNT_LIMIT = 99;

/** Limits the entries of one page of the conversation. */
const PAGE = 50;

type View = { shown: ConversationFilter; before: Instant | null };

/** Reads from an address what of the conversation is shown; anything malformed shows all of it, up to now. */
export function conversationView(params: URLSearchParams): View {
  const before = params.get("until") ?? "";
  return {
    shown: CONVERSATION_FILTERS.find((shown) => shown === params.get("show")) ?? "all",
    before: /^\d{1,15}$/.test(before) ? Number(before) : null,
  };
}

/**
 * Reads the newest entries of the conversation about a submission, in one round trip: notes, replies and history, or
 * only one of them. However long the conversation is, it reads as much as one page can show of each.
 */
export async function readConversation(
  db: Db,
  actor: Actor,
  { submissionId, shown, before }: View & { submissionId: string },
): Promise<Conversation> {
  const range = { limit: PAGE + 1, before };
  const subject = { type: "submission", id: submissionId } as const;
  const [notes, events, counts] = await Promise.all([
    shown === "mail" ? [] : listNotes(db, subject, range),
    { all: listTimeline, mail: listReplies, notes: noEntries }[shown](db, submissionId, range),
    countEntries(db, submissionId),
  ]);
  const written = notes.map((note) => ({ kind: "note" as const, at: note.createdAt, ...listedNote(actor, note) }));
  return { shown, ...pageOf([...written, ...events]), isEarlier: before !== null, counts };
}

const noEntries = async (): Promise<[]> => [];

/** Cuts the newest page out of entries, oldest first. What happened at the same instant stays together. */
function pageOf(entries: ConversationEntry[]): Pick<Conversation, "entries" | "earlier"> {
  const sorted = entries.toSorted((left, right) => right.at - left.at);
  const first = sorted[PAGE - 1];
  const shown = first ? sorted.filter(({ at }) => at >= first.at) : sorted;
  return { entries: shown.toReversed(), earlier: first && shown.length < sorted.length ? first.at : null };
}

/** Counts replies and notes, as far as they are told. */
async function countEntries(db: Db, submissionId: string): Promise<Conversation["counts"]> {
  const [row] = await db.all<{ replies: number; notes: number }>(sql`
    SELECT
      (SELECT count(*) FROM (SELECT 1 FROM submission_replies WHERE submission_id = ${submissionId} LIMIT ${COUNT_LIMIT + 1})) AS replies,
      (SELECT count(*) FROM (SELECT 1 FROM admin_notes WHERE subject_type = 'submission' AND subject_id = ${submissionId} LIMIT ${COUNT_LIMIT + 1})) AS notes`);
  // The message of the visitor is one of them.
  return { mail: capped((row?.replies ?? 0) + 1, COUNT_LIMIT), notes: capped(row?.notes ?? 0, COUNT_LIMIT) };
}
