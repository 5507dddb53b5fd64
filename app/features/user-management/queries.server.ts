import { sql } from "drizzle-orm";
import { type PlatformRole, platformRole } from "~/access/model";
import type { Db } from "~/db/client.server";
import { readTotals } from "~/db/read-totals.server";
import { shownMailStatus } from "~/features/mail/mail-pause.server";
import { type CappedCount, capped } from "~/lib/capped-count";
import { isOtherAdmin } from "./admin-guards.server";
import type { AccountStatus, UserCounts } from "./model";

/** Reads how many accounts have which role, as triggers count them. */
export async function countUsers(db: Db): Promise<UserCounts> {
  const { admin = 0, moderator = 0, user = 0 } = await readTotals(db, ["user.admin", "user.user"]);
  return { admin, moderator, user, all: admin + moderator + user };
}

/** Limits how far pending invitations are counted: each of them is read on every page of the list. */
const INVITED_LIMIT = 25;

/** Counts the people who were invited and have not accepted yet, up to the limit. */
export async function countInvited(db: Db): Promise<CappedCount> {
  const [row] = await db.all<{ count: number }>(sql`SELECT count(*) AS count FROM (
    SELECT 1 FROM users INDEXED BY invited_users WHERE status = 'pending' AND number > 0 LIMIT ${INVITED_LIMIT + 1})`);
  return capped(row?.count ?? 0, INVITED_LIMIT);
}

/** Selects the open invitation of an account over the alias `t` of users, as JSON; NULL where there is none. */
export const OPEN_INVITATION = `(SELECT json_object('invitedBy', i.inviter_name, 'sentAt', i.created_at,
  'expiresAt', i.expires_at, 'mail', (SELECT ${shownMailStatus("o")} FROM outbox o WHERE o.id = i.mail_id))
  FROM invitations i INDEXED BY open_account_invitation WHERE t.status = 'pending' AND i.user_id = t.id AND i.consumed_at IS NULL)`;

/** Describes an account as commands need it. */
type AccountState = { name: string; email: string; role: PlatformRole; status: AccountStatus };

/** Returns who an account belongs to, in which state it is, and its role. */
export async function findAccountState(db: Db, userId: string): Promise<AccountState | null> {
  const row = await db.get<(Omit<AccountState, "role"> & { role: string | null }) | undefined>(sql`
    SELECT u.full_name AS name, u.email, u.status, r.role FROM users u LEFT JOIN user_roles r ON r.user_id = u.id
    WHERE u.id = ${userId}`);
  return row ? { ...row, role: platformRole(row.role) } : null;
}

/** Tells whether there is an active administrator besides a person. */
export async function hasOtherAdmin(db: Db, userId: string): Promise<boolean> {
  const row = await db.get<{ found: number }>(sql`SELECT ${isOtherAdmin(userId)} AS found`);
  return row.found === 1;
}
