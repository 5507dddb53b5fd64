import { sql } from "drizzle-orm";
import { claimKey, commit } from "~/db/client.server";
import { contactSubmissions, submissionEvents } from "~/db/schema/submissions";
import { recordAuditOfRows } from "~/features/audit/record-audit-of-rows.server";
import { plural } from "~/lib/text";
import { type Selection, selectionTable } from "~/lists/selection.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import { STATUS_LABELS } from "../copy";
import type { SubmissionStatus } from "../model";
import { notifyOwners } from "../status-change.server";

type Change = { selection: Selection; status: SubmissionStatus; nonce: string };

/** Holds how many rows a bulk action has changed and skipped. Unknown ids count as neither. */
export type BulkOutcome = { changed: number; skipped: number };

/** Counts what became of the rows; `unchanged`: those that had the status already. */
type StatusOutcome = BulkOutcome & { unchanged: number };

/**
 * Changes the status of the selected submissions. Those that have changed since the list was read are skipped; those
 * that already have the status stay as they are. One live event announces all of them, and their owners are told once,
 * in the product. The same rows posted again with one form change nothing and return the same counts.
 */
export async function bulkChangeStatus(
  ctx: Ctx,
  actor: SignedIn,
  { selection, status, nonce }: Change,
): Promise<StatusOutcome> {
  const at = ctx.now();
  const selected = selectionTable(selection);
  // A page that could not be read again has the same token for another status, and for other rows.
  const asked = fingerprintOf(JSON.stringify([status, selection.rows])).slice(0, 16);
  const key = `${nonce.replace(/[^A-Za-z0-9_-]/g, "")}_${asked}`;
  const eventId = (id: string) => sql.raw(`'sev_${key}_' || ${id}`);
  const moves = sql`t.version = s.version AND t.status <> ${status} AND t.held_reason IS NULL`;
  const moved = sql`SELECT t.id, t.status FROM ${selected} s JOIN contact_submissions t ON t.id = s.id WHERE ${moves}`;
  const subjects = await ctx.db.all<{ id: string; name: string; owner: string | null }>(sql`
    SELECT t.id, t.first_name || ' ' || t.last_name AS name, t.owner_id AS owner
    FROM ${selected} s JOIN contact_submissions t ON t.id = s.id WHERE ${moves}`);
  const owners = [...new Set(subjects.flatMap(({ owner }) => owner ?? []))];
  const label = `${plural(subjects.length, "submission")}: ${STATUS_LABELS[status]}`;
  const statements = [
    ...claimKey(ctx.db, { key, scope: "submission-statuses", resultLocation: status, at }),
    ctx.db.insert(submissionEvents).select(sql`
      SELECT ${eventId("m.id")}, m.id, m.status, ${status}, ${actor.userId}, ${actor.fullName}, ${at} FROM (${moved}) m`),
    recordAuditOfRows(ctx, "submission.status_changed", {
      subjectType: "submission",
      rows: sql`SELECT m.id AS subject_id, json_object('from', m.status, 'to', ${status}) AS meta_json, m.status || ' to ' || ${status} AS details
        FROM (${moved}) m`,
      subjects,
    }),
    ...notifyOwners(ctx, actor, sql`SELECT value AS owner_id FROM json_each(${JSON.stringify(owners)})`, {
      subject: { type: "submission", id: "" },
      itemId: "",
      mail: null,
      label: sql`${label}`,
    }),
    ctx.db
      .update(contactSubmissions)
      .set({ status, updated_at: at, version: sql`${contactSubmissions.version} + 1` })
      .where(sql`${contactSubmissions.id} IN (SELECT m.id FROM (${moved}) m)`),
    recordLiveEvent(ctx, {
      audience: "staff",
      type: "status_update",
      subject: { type: "submission", id: null },
      label,
    }),
  ];
  // Nobody is told of what does not happen.
  const written = subjects.length > 0 && (await commit(ctx.db, statements));
  if (written) ctx.after(ctx.live.notify("staff"));
  const isDone = sql`EXISTS (SELECT 1 FROM submission_events e WHERE e.id = ${eventId("t.id")})`;
  const [row] = await ctx.db.all<{ known: number; changed: number; unchanged: number }>(sql`
    SELECT count(*) AS known, coalesce(sum(${isDone}), 0) AS changed,
      coalesce(sum(t.version = s.version AND t.status = ${status} AND NOT ${isDone}), 0) AS unchanged
    FROM ${selected} s JOIN contact_submissions t ON t.id = s.id`);
  const { known, changed, unchanged } = row ?? { known: 0, changed: 0, unchanged: 0 };
  return { changed, unchanged, skipped: known - changed - unchanged };
}
