import { type SQL, sql } from "drizzle-orm";
import type { Db } from "~/db/client.server";
import { otherAddressesOf } from "~/features/contacts/queries.server";
import { organizationPath } from "~/features/organizations/model";
import { submissionPath } from "~/features/submissions/subject";
import { staffTicketPath } from "~/features/tickets/paths";
import { userPath } from "~/features/users/model";
import { normalizeEmail } from "~/lib/email";
import { referenceNumber } from "~/lib/ids";
import { fold } from "~/lib/text";
import type { Instant } from "~/lib/time";
import type { Consent, HeldSubject, Hold, Person, PersonCounts, RetentionRun } from "./model";

const HOLDS_SHOWN = 100;
const RUNS_SHOWN = 14;
const PEOPLE_SHOWN = 25;
export const CONSENTS_SHOWN = 50;

const PATHS: Record<HeldSubject, (id: string) => string> = {
  submission: submissionPath,
  ticket: staffTicketPath,
  organization: organizationPath,
  user: userPath,
};

const LABEL = sql`CASE h.subject_type
  WHEN 'submission' THEN (SELECT s.first_name || ' ' || s.last_name FROM contact_submissions s WHERE s.id = h.subject_id)
  WHEN 'ticket' THEN (SELECT 'T-' || t.number || ' ' || t.title FROM support_tickets t WHERE t.id = h.subject_id)
  WHEN 'organization' THEN (SELECT o.name FROM organizations o WHERE o.id = h.subject_id)
  ELSE (SELECT u.full_name FROM users u WHERE u.id = h.subject_id) END`;

export async function listHolds(db: Db): Promise<Hold[]> {
  const rows = await db.all<Omit<Hold, "to" | "label"> & { label: string | null }>(sql`
    SELECT h.id, h.subject_type AS type, h.subject_id AS subjectId, ${LABEL} AS label, h.reason,
      h.placed_by_name AS placedBy, h.placed_at AS placedAt
    FROM legal_holds h WHERE h.lifted_at IS NULL ORDER BY h.placed_at DESC LIMIT ${HOLDS_SHOWN}`);
  return rows.map((row) => ({ ...row, label: row.label ?? "Gone", to: PATHS[row.type](row.subjectId) }));
}

export const listRuns = (db: Db): Promise<RetentionRun[]> =>
  db.all<RetentionRun>(sql`
    SELECT started_at AS startedAt, retention_days AS retentionDays, submissions, files, notes, on_hold AS onHold
    FROM retention_runs ORDER BY day DESC LIMIT ${RUNS_SHOWN}`);

type ConsentRow = Omit<Consent, "number" | "form"> & { number: number };

/** Before the one with a number: one more than are shown. */
export async function listConsents(db: Db, before: number): Promise<(Consent & { position: number })[]> {
  const rows = await db.all<ConsentRow>(sql`
    SELECT id, number, first_name || ' ' || last_name AS name, email, consent_terms_version AS version, consent_at AS at
    FROM contact_submissions WHERE number < ${before} ORDER BY number DESC LIMIT ${CONSENTS_SHOWN + 1}`);
  return rows.map((row) => ({
    ...row,
    position: row.number,
    number: referenceNumber("submission", row.number),
    form: "Contact form",
  }));
}

/**
 * Selects the addresses that an account had before, as far as the activity goes back, but for one that somebody else
 * has now, or is invited at since. What came from one since may be of whoever has its mailbox now: it is erased, and
 * given to nobody.
 */
const formerAddressesOf = (email: string): SQL => sql`(SELECT e.actor_email AS email
  FROM users u CROSS JOIN audit_events e INDEXED BY audit_by_subject
    ON e.subject_type = 'user' AND e.subject_id = u.id
  WHERE u.email = ${email} AND e.action = 'user.email_change_requested' AND e.actor_id = u.id
    AND NOT EXISTS (SELECT 1 FROM users o WHERE o.email = e.actor_email)
    AND NOT EXISTS (SELECT 1 FROM contacts o WHERE o.email = e.actor_email)
    AND NOT EXISTS (SELECT 1 FROM other_addresses o WHERE o.email = e.actor_email)
    AND NOT EXISTS (SELECT 1 FROM organization_memberships o
      WHERE o.invited_email = e.actor_email AND o.status = 'pending' AND o.created_at >= e.at))`;

/** Selects what is erased with an address: further ones, and those of before. */
export const furtherAddressesOf = (email: string): SQL =>
  sql`(SELECT email FROM ${otherAddressesOf(email)} UNION SELECT email FROM ${formerAddressesOf(email)})`;

/** Selects all addresses that are erased with one. */
export const erasedWith = (email: string): SQL =>
  sql`(SELECT ${email} UNION ALL SELECT * FROM ${furtherAddressesOf(email)})`;

/**
 * Accounts, and those with exactly this address. Of several submissions or tickets the newest stands for the person.
 */
export async function findPeople(db: Db, text: string): Promise<Person[]> {
  const folded = fold(text);
  const email = normalizeEmail(text);
  const match = `search_text : "${folded.replaceAll('"', '""')}"`;
  const accounts = sql`
    SELECT u.id, u.id AS userId, u.full_name AS name, u.email FROM user_search f JOIN users u ON u.number = f.rowid
    WHERE f.user_search MATCH ${match} ORDER BY f.rowid DESC LIMIT ${PEOPLE_SHOWN}`;
  const strangers = sql`
    SELECT id, NULL AS userId, name, ${email} AS email FROM (
      SELECT 1 AS place, min(id) AS id, full_name AS name FROM contacts WHERE email = ${email}
      UNION ALL SELECT * FROM (SELECT 2, id, first_name || ' ' || last_name FROM contact_submissions
        WHERE email = ${email} ORDER BY created_at DESC LIMIT 1)
      UNION ALL SELECT * FROM (SELECT 3, id, email FROM ticket_copies
        WHERE email = ${email} ORDER BY added_at DESC, id LIMIT 1)
      UNION ALL SELECT * FROM (SELECT 4, id, email FROM proposed_copies
        WHERE email = ${email} ORDER BY proposed_at DESC, id LIMIT 1)
      UNION ALL SELECT * FROM (
        SELECT 5, id, coalesce(nullif(iif(original_address = ${email}, '', from_name), ''), ${email})
        FROM (SELECT * FROM inbound_mail WHERE original_address = ${email}
          UNION ALL SELECT * FROM inbound_mail WHERE from_address = ${email} AND original_address IS NULL)
        ORDER BY received_at DESC LIMIT 1))
    WHERE id IS NOT NULL AND ${email} <> '' AND NOT EXISTS (SELECT 1 FROM users u WHERE u.email = ${email})
    ORDER BY place LIMIT 1`;
  const further = sql`
    SELECT u.id, u.id AS userId, u.full_name AS name, u.email FROM other_addresses a JOIN users u ON u.id = a.user_id
    WHERE a.email = ${email}
    UNION ALL SELECT c.id, NULL, c.full_name, c.email FROM other_addresses a JOIN contacts c ON c.id = a.contact_id
    WHERE a.email = ${email}`;
  const [found, known, others] = await Promise.all([
    [...folded].length < 3 ? [] : db.all<Person>(accounts),
    db.all<Person>(strangers),
    db.all<Person>(further),
  ]);
  return [...others, ...found, ...known];
}

/** By the id of their account, or of somebody without one as a contact, by a submission, a copy, or a mail. */
export async function findPersonalData(db: Db, personId: string): Promise<Person | null> {
  const [person] = await db.all<Person>(personOf(personId));
  return person ?? null;
}

function personOf(id: string): SQL {
  if (id.startsWith("usr_"))
    return sql`SELECT id, id AS userId, full_name AS name, email FROM users WHERE id = ${id}
      AND NOT EXISTS (SELECT 1 FROM person_erasures e WHERE e.user_id = users.id)`;
  if (id.startsWith("con_"))
    return sql`SELECT c.id, u.id AS userId, coalesce(u.full_name, c.full_name) AS name, c.email
      FROM contacts c LEFT JOIN users u ON u.email = c.email WHERE c.id = ${id}
      AND NOT EXISTS (SELECT 1 FROM person_erasures e WHERE e.user_id = c.id)`;
  if (id.startsWith("cpy_"))
    return sql`SELECT c.id, u.id AS userId, coalesce(u.full_name, c.email) AS name, c.email
      FROM ticket_copies c LEFT JOIN users u ON u.email = c.email WHERE c.id = ${id}`;
  if (id.startsWith("ccp_"))
    return sql`SELECT p.id, u.id AS userId, coalesce(u.full_name, p.email) AS name, p.email
      FROM proposed_copies p LEFT JOIN users u ON u.email = p.email WHERE p.id = ${id}`;
  if (id.startsWith("inm_"))
    return sql`SELECT i.id, u.id AS userId, i.email, coalesce(u.full_name, nullif(i.from_name, ''), i.email) AS name
      FROM (SELECT id, coalesce(original_address, from_address) AS email,
        iif(original_address IS NULL, from_name, '') AS from_name FROM inbound_mail WHERE id = ${id}) i
      LEFT JOIN users u ON u.email = i.email WHERE i.email <> ''`;
  return sql`SELECT s.id, u.id AS userId, s.first_name || ' ' || s.last_name AS name, s.email
    FROM contact_submissions s LEFT JOIN users u ON u.email = s.email WHERE s.id = ${id}`;
}

export async function findClosureRequest(db: Db, userId: string): Promise<Instant | null> {
  const [row] = await db.all<{ at: Instant | null }>(
    sql`SELECT closure_requested_at AS at FROM users WHERE id = ${userId}`,
  );
  return row?.at ?? null;
}

export const listClosureRequests = (db: Db): Promise<{ id: string; name: string; email: string; at: Instant }[]> =>
  db.all(sql`
    SELECT id, full_name AS name, email, closure_requested_at AS at FROM users INDEXED BY accounts_to_close
    WHERE closure_requested_at IS NOT NULL ORDER BY closure_requested_at LIMIT ${HOLDS_SHOWN}`);

export const COUNTED_MAX = 1_000;

/** Up to a limit. `isQueued`: the condition of mails to them, over `outbox`. */
export async function countPerson(db: Db, { userId, email }: Person, isQueued: SQL): Promise<PersonCounts> {
  const upTo = (query: SQL) => sql`(SELECT count(*) FROM (${query} LIMIT ${COUNTED_MAX}))`;
  const of = (table: string, column: string) =>
    upTo(sql`SELECT 1 FROM ${sql.raw(table)} WHERE ${sql.raw(column)} = ${userId}`);
  const written = (table: string, column: string) =>
    upTo(sql`SELECT 1 FROM ${sql.raw(table)} WHERE ${sql.raw(column)} = ${userId}
      UNION ALL SELECT 1 FROM contacts c CROSS JOIN ${sql.raw(table)} x ON x.contact_id = c.id WHERE c.email = ${email}`);
  const submissions = sql`SELECT id FROM contact_submissions WHERE email IN ${erasedWith(email)}`;
  const [counts] = await db.all<PersonCounts>(sql`
    SELECT ${upTo(submissions)} AS submissions,
      ${upTo(sql`SELECT 1 FROM attachments WHERE subject_type = 'submission' AND subject_id IN (${submissions})`)} AS files,
      ${of("organization_memberships", "user_id")} AS memberships, ${of("sessions", "user_id")} AS sessions,
      ${written("support_tickets", "created_by")} AS tickets, ${written("ticket_messages", "user_id")} AS messages,
      ${upTo(sql`SELECT 1 FROM outbox WHERE ${isQueued}`)} AS queuedMails,
      ${upTo(sql`SELECT 1 FROM inbound_mail WHERE from_address IN ${erasedWith(email)}
        UNION ALL SELECT 1 FROM inbound_mail WHERE original_address IN ${erasedWith(email)}`)} AS mails,
      ${upTo(sql`SELECT 1 FROM ticket_copies WHERE email IN ${erasedWith(email)} AND contact_id IS NULL AND member_id IS NULL`)} AS copies`);
  if (!counts) throw new Error("Nothing was counted");
  return counts;
}
