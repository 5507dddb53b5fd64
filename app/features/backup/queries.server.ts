import { sql } from "drizzle-orm";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";

type BackupFacts = {
  first: Instant | null;
  last: { at: Instant; rows: number; files: number; bytes: number } | null;
  proven: { at: Instant; rows: number; ms: number } | null;
};

/** Of the backups that are whole, those that are not kept any longer among them. */
export async function readBackupFacts({ db }: Pick<Ctx, "db">): Promise<BackupFacts> {
  const [[first], [last], [proven]] = await Promise.all([
    db.all<{ at: Instant }>(sql`
      SELECT started_at AS at FROM backups WHERE finished_at IS NOT NULL ORDER BY id LIMIT 1`),
    db.all<NonNullable<BackupFacts["last"]>>(sql`
      SELECT finished_at AS at, rows, files, bytes FROM backups WHERE finished_at IS NOT NULL ORDER BY id DESC LIMIT 1`),
    db.all<NonNullable<BackupFacts["proven"]>>(sql`
      SELECT proven_at AS at, proven_rows AS rows, proven_ms AS ms FROM backups
      WHERE proven_at IS NOT NULL ORDER BY proven_at DESC LIMIT 1`),
  ]);
  return { first: first?.at ?? null, last: last ?? null, proven: proven ?? null };
}
