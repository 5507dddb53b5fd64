import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import type { Ctx } from "~/platform/context.server";
import type { Person } from "../model";
import type { WholeFile } from "../zip";

/** Limits the rows of one file of the archive, so that memory holds a part of them at a time. */
const ROWS_AT_ONCE = 200;

/**
 * Limits the files of one archive, and their bytes: each file is one read of the file store, and the platform limits
 * those of a request. The rest comes in a further archive.
 */
const FILES_PER_ARCHIVE = 900;
const BYTES_PER_ARCHIVE = 512 * 1024 * 1024;

/** Reads rows beyond a place: `key` is the place of each, the number of its row. */
type Part = { name: string; rows: (after: number) => SQL };

/**
 * Lists what is stored about a person, a part of it at a time over an index of the person's rows. Internal notes are
 * left out: they are what staff have written about others. Nothing of passwords, codes and keys is ever read.
 */
function partsOf({ userId, email }: Person): readonly Part[] {
  const part = (
    name: string,
    columns: string,
    { from, is, key = "x.rowid" }: { from: string; is: SQL; key?: string },
  ) => ({
    name,
    rows: (after: number) =>
      sql`SELECT ${sql.raw(key)} AS key, ${sql.raw(columns)} FROM ${sql.raw(from)} ${is}
        AND ${sql.raw(key)} > ${after} ORDER BY ${sql.raw(key)} LIMIT ${ROWS_AT_ONCE}`,
  });
  const by = (column: string) => sql`WHERE x.${sql.raw(column)} = ${userId ?? ""}`;
  const ofSubmissions = sql`WHERE x.submission_id IN (SELECT id FROM contact_submissions WHERE email = ${email})`;
  return [
    part(
      "requests",
      `'L-' || x.number AS number, x.first_name, x.last_name, x.email, x.phone, x.company, x.message, x.status,
        x.estimate_json, x.source, x.campaign, x.consent_at, x.consent_terms_version, x.created_at, x.updated_at`,
      { from: "contact_submissions x", is: sql`WHERE x.email = ${email}`, key: "x.number" },
    ),
    part("replies-to-requests", "x.submission_id, x.message, x.at", {
      from: "submission_replies x",
      is: ofSubmissions,
    }),
    part("status-of-requests", "x.submission_id, x.to_status, x.at", {
      from: "submission_events x",
      is: ofSubmissions,
    }),
    part("account", "x.email, x.full_name, x.status, x.created_at, x.updated_at", { from: "users x", is: by("id") }),
    part("organizations", "o.name AS organization, x.role, x.status, x.invited_at, x.joined_at", {
      from: "organization_memberships x CROSS JOIN organizations o ON o.id = x.organization_id",
      is: by("user_id"),
    }),
    part("sessions", "x.ua_label AS browser, x.ip_prefix AS network, x.created_at, x.last_seen_at, x.revoked_at", {
      from: "sessions x",
      is: by("user_id"),
    }),
    part("notification-preferences", "x.event, x.by_mail, x.in_app", {
      from: "notification_preferences x",
      is: by("user_id"),
    }),
    part("quiet-hours", "x.from_clock, x.until_clock", { from: "quiet_hours x", is: by("user_id") }),
    part(
      "tickets",
      `'T-' || x.number AS number, x.title, x.description, x.priority, x.category, x.impact, x.status, x.created_at,
        x.resolved_at, x.closed_at`,
      { from: "support_tickets x", is: by("created_by"), key: "x.number" },
    ),
    part("messages", "'T-' || t.number AS ticket, x.message, x.created_at", {
      from: "ticket_messages x CROSS JOIN support_tickets t ON t.id = x.ticket_id AND x.is_internal = 0",
      is: by("user_id"),
    }),
    part("begun-replies", "'T-' || t.number AS ticket, x.message, x.why_late, x.what_was_done, x.updated_at", {
      from: "ticket_drafts x CROSS JOIN support_tickets t ON t.id = x.ticket_id AND x.kind = 'reply'",
      is: by("user_id"),
    }),
    part("followed-tickets", "'T-' || t.number AS ticket, x.added_at", {
      from: "ticket_people x CROSS JOIN support_tickets t ON t.id = x.ticket_id",
      is: by("user_id"),
    }),
    part("copies-of-tickets", "'T-' || t.number AS ticket, x.added_at, x.stopped_mailbox IS NOT NULL AS stopped", {
      from: "ticket_copies x CROSS JOIN support_tickets t ON t.id = x.ticket_id",
      is: sql`WHERE x.email = ${email}`,
    }),
    part("answers-to-solved", "x.is_solved, x.comment, x.at", { from: "ticket_votes x", is: by("user_id") }),
    part(
      "uses-of-second-factor",
      "x.created_at AS at, x.action, x.method, x.success, x.failure_reason, x.ip_address AS ip",
      { from: "mfa_audit_log x", is: by("user_id"), key: "x.id" },
    ),
    part("record-of-changes", "x.at, x.action, x.subject_type, x.ip", {
      from: "audit_events x",
      is: by("actor_id"),
      key: "x.id",
    }),
  ];
}

const jsonFile = (name: string, value: unknown): WholeFile => ({
  name,
  bytes: new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`),
});

async function* rowsOf(db: Db, { name, rows }: Part): AsyncGenerator<WholeFile> {
  let after = 0;
  for (let number = 1; ; number += 1) {
    const found = await db.all<{ key: number }>(rows(after));
    if (found.length === 0) return;
    const shown = found.map(({ key: _place, ...row }) => row);
    yield jsonFile(number === 1 ? `${name}.json` : `${name}-${number}.json`, shown);
    if (found.length < ROWS_AT_ONCE) return;
    after = found.at(-1)?.key ?? 0;
  }
}

type StoredFile = { id: string; key: string; name: string };

/** Lists the files that a person has sent: with submissions, tickets and messages that clients read. */
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

type Archive = {
  /** Names the last file of the archive before it; empty: this is the first, with everything but files as JSON. */
  after: string;
  /** Returns the address of the archive with the files after one. */
  next: (after: string) => string;
};

const ABOUT = `Everything that is stored about one person, as JSON, and the files they have sent.

Times are milliseconds since 1970 in UTC. Left out are passwords, codes and keys, which are stored as hashes or
encrypted, and internal notes, which are what staff have written about others.
`;

const textFile = (name: string, text: string): WholeFile => ({ name, bytes: new TextEncoder().encode(text) });

/**
 * Reads the files of an archive about a person, one at a time. Where more do not fit, its last one says where they are.
 */
export async function* personFiles(
  { db, files }: Pick<Ctx, "db" | "files">,
  person: Person,
  { after: start, next }: Archive,
): AsyncGenerator<WholeFile> {
  yield textFile("README.txt", ABOUT);
  for (const part of start ? [] : partsOf(person)) yield* rowsOf(db, part);
  let after = start;
  let left = FILES_PER_ARCHIVE;
  let room = BYTES_PER_ARCHIVE;
  for (;;) {
    const found = await db.all<StoredFile>(filesOf(person, after));
    for (const { id, key, name } of found) {
      if (left === 0 || room <= 0) {
        yield textFile("MORE-FILES.txt", `There are more files. They are at ${next(after)}\n`);
        return;
      }
      left -= 1;
      after = id;
      const stream = await files.get(key);
      if (!stream) continue;
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
      room -= bytes.length;
      yield { name: `files/${id}-${name}`, bytes };
    }
    if (found.length < ROWS_AT_ONCE) return;
  }
}
