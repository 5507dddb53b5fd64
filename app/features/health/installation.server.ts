import { sql } from "drizzle-orm";
import { readTotals } from "~/db/read-totals.server";
import { MAIL_STATUS_LABELS, type MailStatus } from "~/features/mail/model";
import { fileSize, plural } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import type { Installation, JobRow } from "./model";

/** Limits what the platform lets a database grow to, in bytes. */
const DATABASE_LIMIT = 10 * 1024 ** 3;

/** Reads what is installed and how full it is: the build, migrations by name, size of the database, mails and jobs. */
export async function readInstallation({ build, db }: Pick<Ctx, "build" | "db">): Promise<Installation> {
  const [migrations, mails, jobs, files, probe] = await Promise.all([
    db.all<{ name: string }>(sql`SELECT name FROM d1_migrations ORDER BY id DESC`),
    db.all<{ status: MailStatus; count: number }>(sql`
      SELECT status, count(*) AS count FROM outbox WHERE status IN ('pending', 'sending', 'uncertain', 'bounced', 'dead')
      GROUP BY status ORDER BY status`),
    db.all<JobRow>(sql`
      SELECT j.key AS name, j.value ->> 'ok' AS lastOk, j.value ->> 'due' AS nextDue, j.value ->> 'error' AS error
      FROM job_groups g CROSS JOIN json_each(g.jobs) j ORDER BY j.key`),
    readTotals(db, ["file.all", "file.bytes"]),
    // Every answer of the database tells how large it is.
    db.run(sql`SELECT 1`),
  ]);
  const size = probe.meta.size_after;
  const share = ((100 * size) / DATABASE_LIMIT).toFixed(1);
  return {
    facts: [
      { term: "Build", detail: build },
      { term: "Database", detail: `${fileSize(size)} of 10 GB (${share}%)` },
      { term: "Files", detail: `${plural(files.all ?? 0, "file")}, ${fileSize(files.bytes ?? 0)}` },
      {
        term: "Mail queue",
        detail: mails.map(({ status, count }) => `${count} ${MAIL_STATUS_LABELS[status]}`).join(", ") || "Empty",
      },
    ],
    migrations: migrations.map(({ name }) => name),
    jobs,
  };
}
