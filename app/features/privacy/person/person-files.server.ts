import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Ctx } from "~/platform/context.server";
import type { Person } from "../model";
import type { ZipEntry } from "./zip";

/** Limits the rows of one file of the archive, so that memory holds a part of them at a time. */
const ROWS_AT_ONCE = 200;

type Part = { name: string; rows: (after: string) => SQL };

/**
 * Lists what is stored about a person, each in the order of a growing `key`. Internal notes are left out: they are what
 * staff have written about others. Nothing of passwords, codes and keys is ever read.
 */
function partsOf({ userId, email }: Person): readonly Part[] {
  const requests = sql`SELECT id FROM contact_submissions WHERE email = ${email}`;
  const ofRequests = (columns: string, table: string, at: string) => (after: string) =>
    sql`SELECT x.id AS key, ${sql.raw(columns)}, x.${sql.raw(at)} AS at FROM ${sql.raw(table)} x
      WHERE x.submission_id IN (${requests}) AND x.id > ${after} ORDER BY x.id LIMIT ${ROWS_AT_ONCE}`;
  const own = (columns: string, from: string) => (after: string) =>
    sql`SELECT ${sql.raw(columns)} ${sql.raw(from)} = ${userId ?? ""} AND key > ${after} ORDER BY key LIMIT ${ROWS_AT_ONCE}`;
  return [
    {
      name: "requests",
      rows: (
        after,
      ) => sql`SELECT id AS key, 'L-' || number AS number, first_name, last_name, email, phone, company, message,
        status, estimate_json, source, campaign, consent_at, consent_terms_version, created_at, updated_at
        FROM contact_submissions WHERE email = ${email} AND id > ${after} ORDER BY id LIMIT ${ROWS_AT_ONCE}`,
    },
    { name: "replies-to-requests", rows: ofRequests("x.submission_id, x.message", "submission_replies", "at") },
    { name: "status-of-requests", rows: ofRequests("x.submission_id, x.to_status", "submission_events", "at") },
    {
      name: "account",
      rows: own("id AS key, email, full_name, status, created_at, updated_at", "FROM users WHERE id"),
    },
    {
      name: "organizations",
      rows: own(
        "m.id AS key, o.name AS organization, m.role, m.status, m.invited_at, m.joined_at",
        "FROM organization_memberships m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id",
      ),
    },
    {
      name: "sessions",
      rows: own(
        "CAST(created_at AS TEXT) AS key, ua_label AS browser, ip_prefix AS network, created_at, last_seen_at, revoked_at",
        "FROM sessions WHERE user_id",
      ),
    },
    {
      name: "notification-preferences",
      rows: own("event AS key, event, by_mail, in_app", "FROM notification_preferences WHERE user_id"),
    },
    {
      name: "tickets",
      rows: own(
        `id AS key, 'T-' || number AS number, title, description, priority, category, impact, status, created_at,
          resolved_at, closed_at`,
        "FROM support_tickets WHERE created_by",
      ),
    },
    {
      name: "messages",
      rows: own(
        `m.id AS key, 'T-' || t.number AS ticket, m.message, m.created_at`,
        "FROM ticket_messages m JOIN support_tickets t ON t.id = m.ticket_id WHERE m.is_internal = 0 AND m.user_id",
      ),
    },
    {
      name: "answers-to-solved",
      rows: own("ticket_id AS key, is_solved, comment, at", "FROM ticket_votes WHERE user_id"),
    },
    {
      name: "record-of-changes",
      rows: own("printf('%012d', id) AS key, at, action, subject_type, ip", "FROM audit_events WHERE actor_id"),
    },
  ];
}

const jsonFile = (name: string, value: unknown): ZipEntry => ({
  name,
  bytes: new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`),
});

async function* rowsOf(db: Db, { name, rows }: Part): AsyncGenerator<ZipEntry> {
  let after = "";
  for (let number = 1; ; number += 1) {
    const found = await db.all<{ key: string }>(rows(after));
    if (found.length === 0) return;
    const shown = found.map(({ key: _place, ...row }) => row);
    yield jsonFile(number === 1 ? `${name}.json` : `${name}-${number}.json`, shown);
    if (found.length < ROWS_AT_ONCE) return;
    after = found.at(-1)?.key ?? "";
  }
}

type StoredFile = { id: string; key: string; name: string };

/** Lists the files that a person has sent: with requests, tickets and messages that clients read. */
const filesOf = ({ userId, email }: Person, after: string): SQL => sql`
  SELECT a.id, a.r2_key AS key, a.name FROM attachments a WHERE a.id > ${after} AND a.id IN (
    SELECT f.id FROM contact_submissions s JOIN attachments f ON f.subject_type = 'submission' AND f.subject_id = s.id
      WHERE s.email = ${email}
    UNION SELECT f.id FROM support_tickets t JOIN attachments f ON f.subject_type = 'ticket' AND f.subject_id = t.id
      WHERE t.created_by = ${userId ?? ""} AND f.message_id IS NULL
    UNION SELECT f.id FROM ticket_messages m JOIN attachments f ON f.subject_type = 'ticket'
      AND f.subject_id = m.ticket_id AND f.message_id = m.id
      WHERE m.user_id = ${userId ?? ""} AND m.is_internal = 0)
  ORDER BY a.id LIMIT ${ROWS_AT_ONCE}`;

const ABOUT = `Everything that is stored about one person, as JSON, and the files they have sent.

Times are milliseconds since 1970 in UTC. Left out are passwords, codes and keys, which are stored as hashes or
encrypted, and internal notes, which are what staff have written about others.
`;

/** Reads the files of the archive about a person, one at a time. `counted`: called for each. */
export async function* personFiles(
  { db, files }: Pick<Ctx, "db" | "files">,
  person: Person,
  counted: () => void,
): AsyncGenerator<ZipEntry> {
  yield { name: "README.txt", bytes: new TextEncoder().encode(ABOUT) };
  for (const part of partsOf(person)) {
    for await (const entry of rowsOf(db, part)) {
      counted();
      yield entry;
    }
  }
  for (let after = ""; ; ) {
    const found = await db.all<StoredFile>(filesOf(person, after));
    for (const { id, key, name } of found) {
      const stream = await files.get(key);
      if (!stream) continue;
      counted();
      yield { name: `files/${id}-${name}`, bytes: new Uint8Array(await new Response(stream).arrayBuffer()) };
    }
    if (found.length < ROWS_AT_ONCE) return;
    after = found.at(-1)?.id ?? "";
  }
}
