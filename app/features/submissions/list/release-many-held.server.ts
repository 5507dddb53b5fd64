import { sql } from "drizzle-orm";
import { claimKey, commit, expectThat } from "~/db/client.server";
import { contactSubmissions, submissionEvents } from "~/db/schema/submissions";
import { recordAuditOfRows } from "~/features/audit/record-audit-of-rows.server";
import { HELD_DETAILS } from "~/features/audit/search-text";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { getSettings } from "~/features/settings/queries.server";
import { narrowTo, type Selection, selectionTable } from "~/lists/selection.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { fingerprintOf } from "~/platform/crypto.server";
import { announceSubmissions } from "../announce-submission.server";
import { RELEASED_FROM } from "../queries.server";
import type { BulkOutcome } from "./bulk-change-status.server";
import { findHeld } from "./read-list.server";

type Release = { selection: Selection; nonce: string };

/** Limits the attempts. It reads the held rows again when a colleague has released some of them in between. */
const ATTEMPTS = 3;

/**
 * Releases the selected held submissions ("Not spam") as `releaseHeld` does, in one batch, with one live event for all.
 * Those that have changed since the list was read, or are not held any more, are skipped. The same form posted again
 * releases nothing and returns the same counts.
 */
export async function releaseManyHeld(ctx: Ctx, actor: SignedIn, { selection, nonce }: Release): Promise<BulkOutcome> {
  const at = ctx.now();
  // A page that could not be read again has the same token for other rows.
  const key = `${nonce.replace(/[^A-Za-z0-9_-]/g, "")}_${fingerprintOf(JSON.stringify(selection.rows)).slice(0, 16)}`;
  const eventId = (id: string) => sql.raw(`'sev_${key}_' || ${id}`);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [settings, held] = await Promise.all([getSettings(ctx.db), findHeld(ctx.db, selection)]);
    if (held.length === 0) break;
    const heldIds = held.map(({ id }) => id);
    const stillHeld = sql`SELECT t.id, t.status, t.held_reason FROM ${selectionTable(narrowTo(selection, heldIds))} s
      JOIN contact_submissions t ON t.id = s.id AND t.version = s.version WHERE t.held_reason IS NOT NULL`;
    const written = await commit(ctx.db, [
      ...claimKey(ctx.db, { key, scope: "submissions-release", resultLocation: "", at }),
      // The mails are for exactly those that were read.
      expectThat(ctx.db, sql`(SELECT count(*) FROM (${stillHeld})) = ${held.length}`),
      ctx.db.insert(submissionEvents).select(sql`
        SELECT ${eventId("m.id")}, m.id, ${RELEASED_FROM}, m.status, ${actor.userId}, ${actor.fullName}, ${at}
        FROM (${stillHeld}) m`),
      recordAuditOfRows(ctx, "submission.released", {
        subjectType: "submission",
        rows: sql`SELECT m.id AS subject_id, json_object('held', m.held_reason) AS meta_json,
          ${HELD_DETAILS} ->> m.held_reason AS details
          FROM (${stillHeld}) m`,
        subjects: held,
      }),
      ctx.db
        .update(contactSubmissions)
        .set({ held_reason: null, updated_at: at, version: sql`${contactSubmissions.version} + 1` })
        .where(sql`${contactSubmissions.id} IN (SELECT m.id FROM (${stillHeld}) m)`),
      ...announceSubmissions(ctx, settings, held),
    ]);
    if (written) {
      ctx.after(ctx.live.notify("staff"));
      ctx.after(deliverOutbox(ctx));
      break;
    }
  }
  const [row] = await ctx.db.all<{ known: number; done: number }>(sql`
    SELECT count(*) AS known,
      coalesce(sum(EXISTS (SELECT 1 FROM submission_events e WHERE e.id = ${eventId("t.id")})), 0) AS done
    FROM ${selectionTable(selection)} s JOIN contact_submissions t ON t.id = s.id`);
  const { known, done } = row ?? { known: 0, done: 0 };
  return { changed: done, skipped: known - done };
}
