import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { shownMailStatus } from "~/features/mail/mail-pause.server";
import { failureWords, type MailStatus } from "~/features/mail/model";
import type { Instant } from "~/lib/time";
import type { InvitationState } from "./model";

/** By the id of their membership or account. */
export async function invitationStates(
  db: Db,
  { membership = [], account = [] }: { membership?: readonly string[] | SQL; account?: readonly string[] | SQL },
  now: Instant,
): Promise<Map<string, InvitationState>> {
  const column = (name: "membership_id" | "user_id", ids: readonly string[] | SQL) => sql`
    SELECT i.${sql.raw(name)} AS target, i.email, i.inviter_name AS invitedBy, i.created_at AS sentAt,
      i.expires_at AS expiresAt, ${sql.raw(shownMailStatus("o"))} AS mail, o.last_error AS failure
    FROM (${idsOf(ids)}) asked
    CROSS JOIN invitations i ON i.${sql.raw(name)} = asked.id AND i.consumed_at IS NULL
    LEFT JOIN outbox o ON o.id = i.mail_id`;
  const rows = await db.all<Omit<InvitationState, "state"> & { target: string; mail: MailStatus | null }>(
    sql`${column("membership_id", membership)} UNION ALL ${column("user_id", account)}`,
  );
  return new Map(
    rows.map(({ target, mail, failure, ...row }) => [
      target,
      {
        ...row,
        state: row.expiresAt > now ? "pending" : "expired",
        mail,
        failure: failure === null || mail === "sent" || mail === "delayed" ? null : failureWords(failure),
      },
    ]),
  );
}

const idsOf = (ids: readonly string[] | SQL): SQL =>
  Array.isArray(ids) ? sql`SELECT value AS id FROM json_each(${JSON.stringify(ids)})` : sql`${ids}`;
