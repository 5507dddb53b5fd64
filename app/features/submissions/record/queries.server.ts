import { and, eq, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { submissionReplies } from "~/db/schema/submissions";
import type { Instant } from "~/lib/time";
import type { KnownSender } from "../model";
import { FIRST_RESPONSE } from "../queries.server";

/** Returns when the submission was first moved out of new: its answer. Null while it never was. */
export async function findFirstResponse(db: Db, submissionId: string): Promise<Instant | null> {
  const [row] = await db.all<{ at: number | null }>(sql`
    SELECT ${sql.raw(FIRST_RESPONSE)} AS at FROM contact_submissions t WHERE t.id = ${submissionId}`);
  return row?.at ?? null;
}

/** Finds what is needed to send a reply again; undefined when the submission has none of that id. */
export async function findReply(db: Db, { submissionId, replyId }: { submissionId: string; replyId: string }) {
  const t = submissionReplies;
  const [reply] = await db
    .select({ author: t.actor_name, message: t.message, mailId: t.mail_id })
    .from(t)
    .where(and(eq(t.id, replyId), eq(t.submission_id, submissionId)));
  return reply;
}

/** Limits the memberships that are read, to more than anybody has. */
const MEMBERSHIPS_LIMIT = 20;

/** Finds the account and the memberships behind the address of a submission; null when the address is nobody's. */
export async function findKnownSender(db: Db, submissionId: string): Promise<KnownSender | null> {
  const address = sql`(SELECT email FROM contact_submissions WHERE id = ${submissionId})`;
  const [accounts, memberships] = await Promise.all([
    db.all<{ name: string; role: "admin" | "moderator" | "user" | null }>(sql`
      SELECT u.full_name AS name, r.role FROM users u LEFT JOIN user_roles r ON r.user_id = u.id
      WHERE u.email = ${address}`),
    db.all<KnownSender["memberships"][number]>(sql`
      SELECT o.id AS organizationId, o.name AS organization, m.role, m.status
      FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id
      WHERE m.user_id = (SELECT id FROM users WHERE email = ${address})
        OR (m.status = 'pending' AND m.invited_email = ${address})
      ORDER BY o.name LIMIT ${MEMBERSHIPS_LIMIT}`),
  ]);
  const [account] = accounts;
  if (!account && memberships.length === 0) return null;
  return {
    account: account ? { name: account.name, role: account.role ?? "user" } : null,
    memberships,
  };
}
