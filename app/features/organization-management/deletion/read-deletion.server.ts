import { sql } from "drizzle-orm";
import type { StaffActor } from "~/features/auth/guards.server";
import { identityRequest } from "~/features/auth/missing-proof.server";
import { type CappedCount, capped } from "~/lib/capped-count";
import type { Ctx } from "~/platform/context.server";
import { findRecord } from "../record/queries.server";

/** Limits how far notes are counted. */
const NOTES_LIMIT = 99;

/** Reads what the page that asks before a deletion shows: what goes, and whether a proof of identity is needed. */
export async function readDeletion(ctx: Pick<Ctx, "db" | "now" | "request">, actor: StaffActor, id: string) {
  const [organization, [noted]] = await Promise.all([
    findRecord(ctx.db, id),
    ctx.db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (SELECT 1 FROM admin_notes
      WHERE subject_type = 'organization' AND subject_id = ${id} LIMIT ${NOTES_LIMIT + 1})`),
  ]);
  if (!organization) return null;
  const { name, version, allMembers, tickets, domains } = organization;
  const notes: CappedCount = capped(noted?.count ?? 0, NOTES_LIMIT);
  return {
    organization: { id, name, version, members: allMembers, tickets, domains: domains.length, notes },
    identity: identityRequest(ctx, actor),
  };
}
