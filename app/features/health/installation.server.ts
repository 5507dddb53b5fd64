import { sql } from "drizzle-orm";
import { readTotals } from "~/db/read-totals.server";
import { RESTORED_SUBJECT } from "~/features/audit/chain.server";
import { MAIL_STATUS_LABELS, type MailStatus } from "~/features/mail/model";
import { fileSize, plural } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import type { Installation, JobRow } from "./model";
import { readWhatTakesRoom, sizeInWords } from "./system-status.server";

/** `kept`: the last event that was copied before the state gone back to. */
type Restore = { id: number; state: string | null; kept: number; lostThrough: number | null };

export async function readInstallation({ build, cost, db }: Pick<Ctx, "build" | "cost" | "db">): Promise<Installation> {
  const [migrations, mails, jobs, files, room, restores] = await Promise.all([
    db.all<{ name: string }>(sql`SELECT name FROM d1_migrations ORDER BY id DESC`),
    db.all<{ status: MailStatus; count: number }>(sql`
      SELECT status, count(*) AS count FROM outbox WHERE status IN ('pending', 'sending', 'uncertain', 'bounced', 'dead')
      GROUP BY status ORDER BY status`),
    db.all<JobRow>(sql`
      SELECT j.key AS name, j.value ->> 'ok' AS lastOk, j.value ->> 'due' AS nextDue, j.value ->> 'error' AS error
      FROM job_groups g CROSS JOIN json_each(g.jobs) j ORDER BY j.key`),
    readTotals(db, ["file.all", "file.bytes"]),
    readWhatTakesRoom({ db }),
    db.all<Restore>(sql`
      SELECT id, meta_json ->> 'state' AS state, meta_json ->> 'kept' AS kept, meta_json ->> 'lostThrough' AS lostThrough
      FROM audit_events WHERE subject_type = ${RESTORED_SUBJECT} ORDER BY id DESC LIMIT 1`),
  ]);
  return {
    facts: [
      { term: "Build", detail: build },
      { term: "Database", detail: sizeInWords(cost.databaseSize) },
      ...restores.map((restore) => ({ term: "Last restore", detail: restoreInWords(restore) })),
      { term: "Files", detail: `${plural(files.all ?? 0, "file")}, ${fileSize(files.bytes ?? 0)}` },
      {
        term: "Mail queue",
        detail: mails.map(({ status, count }) => `${count} ${MAIL_STATUS_LABELS[status]}`).join(", ") || "Empty",
      },
    ],
    room,
    migrations: migrations.map(({ name }) => name),
    jobs,
  };
}

function restoreInWords({ id, state, kept, lostThrough }: Restore): string {
  const lost = lostThrough === null ? `after event ${kept}` : `between events ${kept + 1} and ${lostThrough}`;
  return `To the state of ${state ?? "an unknown time"}, recorded as event ${id}. What the activity lost lies ${lost} of before, and is only in its copies.`;
}
