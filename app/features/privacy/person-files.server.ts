import { type SQL, sql } from "drizzle-orm";
import { commit } from "~/db/client.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { hasRecentProof } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { withDevices } from "~/features/auth/sessions.server";
import { addressesOf, otherAddressesOf } from "~/features/contacts/queries.server";
import { isPublic } from "~/features/conversation/internal-notes.server";
import { getSettings } from "~/features/settings/queries.server";
import { CONFIRM_IDENTITY_PATH, withRedirectTo } from "~/lib/addresses";
import { dayIn } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { takeLimit } from "~/platform/rate-limits.server";
import { type ActionResult, done, download, fileLimited, notFound } from "~/platform/responses.server";
import { NEW_ZIP, zipWriter } from "~/platform/zip.server";
import { EXPORT_LIMITED } from "./labels";
import { type Person, personFilePath, personPath } from "./model";
import { findPersonalData } from "./queries.server";

/** `place`: its order among those of its part; it is not written. */
type Row = Record<string, unknown> & { place: number };

type Part = {
  /** Without its ending. */
  name: string;
  rows: (after: number) => SQL;
  /** Adds to the rows what the database does not have. Null: they have the `key` of a file, and its `path`. */
  complete: ((rows: readonly Record<string, unknown>[]) => Promise<readonly object[]>) | null;
};

/**
 * Internal notes are left out: they are what staff have written about others. Nothing of passwords, codes and keys is
 * ever read.
 */
function partsOf(ctx: Ctx, { userId, email }: Person): readonly Part[] {
  const part = (
    name: string,
    columns: string,
    { from, is, key = "x.rowid" }: { from: string; is: SQL; key?: string },
  ): Part => ({
    name,
    rows: (after) => sql`SELECT ${sql.raw(key)} AS place, ${sql.raw(columns)} FROM ${sql.raw(from)} ${is}
      AND ${sql.raw(key)} > ${after} ORDER BY ${sql.raw(key)}`,
    complete: async (stored) => stored,
  });
  const by = (column: string) => sql`WHERE x.${sql.raw(column)} = ${userId ?? ""}`;
  const written = (column: string) => sql`WHERE (x.${sql.raw(column)} = ${userId ?? ""}
    OR x.contact_id IN (SELECT id FROM contacts WHERE email = ${email}))`;
  const ofSubmissions = sql`WHERE x.submission_id IN (SELECT id FROM contact_submissions WHERE email IN ${addressesOf(email)})`;
  return [
    part(
      "requests",
      `'L-' || x.number AS number, x.first_name, x.last_name, x.email, x.phone, x.company, x.message, x.status,
        x.estimate_json, x.source, x.campaign, x.consent_at, x.consent_terms_version, x.created_at, x.updated_at`,
      { from: "contact_submissions x", is: sql`WHERE x.email IN ${addressesOf(email)}`, key: "x.number" },
    ),
    part("replies-to-requests", "x.submission_id, x.message, x.at", {
      from: "submission_replies x",
      is: ofSubmissions,
    }),
    part("status-of-requests", "x.submission_id, x.to_status, x.at", {
      from: "submission_events x",
      is: ofSubmissions,
    }),
    part("account", "x.email, x.full_name, x.phone, x.status, x.created_at, x.updated_at", {
      from: "users x",
      is: by("id"),
    }),
    part("contact", "o.name AS organization, x.full_name, x.email, x.phone, x.created_at", {
      from: "contacts x CROSS JOIN organizations o ON o.id = x.organization_id",
      is: sql`WHERE x.email = ${email}`,
    }),
    part("further-addresses", "x.email, x.added_at", {
      from: "other_addresses x",
      is: sql`WHERE x.email IN ${otherAddressesOf(email)}`,
    }),
    part("organizations", "o.name AS organization, x.role, x.status, x.invited_at, x.joined_at", {
      from: "organization_memberships x CROSS JOIN organizations o ON o.id = x.organization_id",
      is: by("user_id"),
    }),
    {
      ...part("sessions", "x.id_hash, x.ip_prefix AS network, x.created_at, x.last_seen_at, x.revoked_at", {
        from: "sessions x",
        is: by("user_id"),
      }),
      complete: async (rows) => {
        const sessions = rows.map(({ id_hash, ...session }) => ({ sessionHash: String(id_hash), session }));
        return (await withDevices(ctx, sessions)).map(({ device, session }) => ({ browser: device, ...session }));
      },
    },
    part("notification-preferences", "x.event, x.by_mail, x.in_app", {
      from: "notification_preferences x",
      is: by("user_id"),
    }),
    part("quiet-hours", "x.from_clock, x.until_clock", { from: "quiet_hours x", is: by("user_id") }),
    part(
      "tickets",
      `'T-' || x.number AS number, x.title, x.description, x.priority, x.category, x.impact, x.status, x.created_at,
        x.resolved_at, x.closed_at`,
      { from: "support_tickets x", is: written("created_by"), key: "x.number" },
    ),
    part("messages", "'T-' || t.number AS ticket, x.message, x.created_at", {
      from: "ticket_messages x CROSS JOIN support_tickets t ON t.id = x.ticket_id",
      is: sql`${written("user_id")} AND ${isPublic("x")}`,
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
      is: sql`WHERE x.email IN ${addressesOf(email)}`,
    }),
    part("proposed-copies-of-tickets", "'T-' || t.number AS ticket, x.proposed_at, x.ignored_at", {
      from: "proposed_copies x CROSS JOIN support_tickets t ON t.id = x.ticket_id",
      is: sql`WHERE x.email IN ${addressesOf(email)}`,
    }),
    part("mails", `${MAIL_COLUMNS}, x.from_name`, {
      from: MAILS,
      is: sql`WHERE x.from_address IN ${addressesOf(email)}`,
    }),
    part("mails-that-we-forwarded", MAIL_COLUMNS, {
      from: MAILS,
      is: sql`WHERE x.original_address IN ${addressesOf(email)}
        AND x.from_address NOT IN ${otherAddressesOf(email)}`,
    }),
    part("answers-to-solved", "x.is_solved, x.comment, x.at", { from: "ticket_votes x", is: by("user_id") }),
    part(
      "uses-of-second-factor",
      // Whose address it is: an administrator has reset it.
      `x.created_at AS at, x.action, x.method, x.success, x.failure_reason,
        iif(x.action = 'admin_reset', NULL, x.ip_address) AS ip`,
      { from: "mfa_audit_log x", is: by("user_id"), key: "x.id" },
    ),
    part("record-of-changes", "x.at, x.action, x.subject_type, x.ip", {
      from: "audit_events x",
      is: by("actor_id"),
      key: "x.id",
    }),
    { name: "files", rows: (after) => filesOf({ userId, email }, after), complete: null },
  ];
}

const MAIL_COLUMNS = "x.subject, x.received_at, x.size, x.state, 'T-' || t.number AS ticket";
const MAILS = "inbound_mail x LEFT JOIN support_tickets t ON t.id = x.ticket_id";

/** With submissions, tickets and messages that clients read. */
const filesOf = ({ userId, email }: Pick<Person, "userId" | "email">, after: number): SQL => sql`
  SELECT place, key, 'files/' || id || '-' || name AS path FROM (
    SELECT f.rowid AS place, f.r2_key AS key, f.id, f.name
      FROM contact_submissions s CROSS JOIN attachments f ON f.subject_type = 'submission' AND f.subject_id = s.id
      WHERE s.email IN ${addressesOf(email)}
    UNION SELECT f.rowid, f.r2_key, f.id, f.name
      FROM support_tickets t CROSS JOIN attachments f ON f.subject_type = 'ticket' AND f.subject_id = t.id
      WHERE (t.created_by = ${userId ?? ""} OR t.contact_id IN (SELECT id FROM contacts WHERE email = ${email}))
        AND f.message_id IS NULL
    UNION SELECT f.rowid, f.r2_key, f.id, f.name
      FROM ticket_messages m CROSS JOIN attachments f ON f.subject_type = 'ticket'
      AND f.subject_id = m.ticket_id AND f.message_id = m.id
      WHERE (m.user_id = ${userId ?? ""} OR m.contact_id IN (SELECT id FROM contacts WHERE email = ${email}))
        AND ${isPublic()})
  WHERE place > ${after} ORDER BY place`;

const ABOUT = `Everything that is stored about one person, a row in each line, as JSON, and the files they have sent.

Times are milliseconds since 1970 in UTC. Of what an empty file is about, nothing is stored. Left out are passwords,
codes and keys, which are stored as hashes or encrypted, internal notes, which are what staff have written about
others, and mails as they arrived, which are kept for 90 days: what they became is in tickets and messages.
`;

const ROWS_AT_ONCE = 500;

/**
 * The platform limits the reads of a request, from the database and from the file store. The rest comes in a further
 * archive.
 */
const READS_PER_ARCHIVE = 900;
const BYTES_PER_ARCHIVE = 1024 * 1024 * 1024;

/** A row of a part after which an archive begins; 0: its first. */
type Place = { part: string; after: number };

/** Empty: the beginning. Null: there is none of that name. */
function placeIn(parts: readonly Part[], text: string): Place | null {
  if (!text) return { part: parts[0]?.name ?? "", after: 0 };
  const [, part = "", after = ""] = /^([a-z-]+):(\d{1,15})$/.exec(text) ?? [];
  return parts.some(({ name }) => name === part) ? { part, after: Number(after) } : null;
}

/** A file that is gone from the store still has its line. */
async function* contentOf(files: Ctx["files"], key: string): AsyncGenerator<Uint8Array> {
  const stream = await files.get(key);
  if (!stream) return;
  yield new Uint8Array();
  yield* stream as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>;
}

/** Memory holds one part of one file. `next`: the address of the archive that goes on after a place. */
async function* zipOf(
  { db, files, now }: Ctx,
  parts: readonly Part[],
  { from, next }: { from: Place; next: (place: string) => string },
): AsyncGenerator<Uint8Array> {
  const zip = zipWriter(NEW_ZIP, now());
  let [reads, bytes] = [READS_PER_ARCHIVE, BYTES_PER_ARCHIVE];
  const isFull = () => reads <= 0 || bytes <= 0;
  const add = (name: string, content: Uint8Array | string) => {
    const added = typeof content === "string" ? new TextEncoder().encode(content) : content;
    bytes -= added.length;
    zip.append(name, added);
    return zip.takeContent();
  };
  function* end(stopped?: string) {
    if (stopped) yield* add("MORE.txt", `This archive is full. What follows is at ${next(stopped)}\n`);
    zip.close();
    zip.end(zip.takeDirectory());
    yield* zip.takeContent();
  }
  yield* add("README.txt", ABOUT);
  for (const { name, rows, complete } of parts.slice(parts.findIndex((part) => part.name === from.part))) {
    let after = name === from.part ? from.after : 0;
    const lines = `${name}${after > 0 ? `-after-${after}` : ""}.ndjson`;
    for (let found: Row[] | null = null; !found || found.length === ROWS_AT_ONCE; ) {
      if (isFull()) return yield* end(`${name}:${after}`);
      reads -= 1;
      found = await db.all<Row>(sql`${rows(after)} LIMIT ${ROWS_AT_ONCE}`);
      const stored = found.map(({ place: _place, ...row }) => row);
      if (complete) {
        const written = await complete(stored);
        yield* add(lines, written.map((row) => `${JSON.stringify(row)}\n`).join(""));
        after = Math.max(after, ...found.map(({ place }) => place));
        continue;
      }
      for (const { place, key, path } of found) {
        if (isFull()) return yield* end(`${name}:${after}`);
        reads -= 1;
        after = place;
        for await (const content of contentOf(files, String(key))) yield* add(String(path), content);
      }
    }
  }
  yield* end();
}

function streamOf(content: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await content.next();
      if (next.done) return controller.close();
      controller.enqueue(next.value);
    },
    cancel: async () => {
      await content.return(undefined);
    },
  });
}

type Asked = {
  /** Where the archive before it ended; empty: it is the first. */
  after: string;
  page: string;
  name: string;
  pathAfter: (place: string) => string;
};

/** Needs a fresh proof of identity, and is on record before its first byte leaves. */
export async function sendPersonFiles(
  ctx: Ctx,
  signedIn: SignedIn,
  person: Person,
  { after, page, name, pathAfter }: Asked,
): Promise<ActionResult<never>> {
  const parts = partsOf(ctx, person);
  const from = placeIn(parts, after);
  if (!from) return notFound();
  // Returns to the page, not to the file: a download would leave the page with the password on the screen.
  if (!hasRecentProof(ctx, signedIn)) return done({ to: withRedirectTo(CONFIRM_IDENTITY_PATH, page) });
  const now = ctx.now();
  const type = after ? "export_more_user" : "export_user";
  const [limit, { timeZone }] = await Promise.all([takeLimit(ctx.db, type, signedIn.userId, now), getSettings(ctx.db)]);
  if (!limit.allowed)
    return fileLimited({ to: page, flash: { kind: "error", ...EXPORT_LIMITED }, retryAt: limit.retryAt });
  const subject = { type: "user", id: person.userId, label: person.userId ? person.name : null } as const;
  await commit(ctx.db, [recordAudit(ctx, "user.data_exported", { subject, meta: after ? { after } : {} })]);
  const next = (place: string) => `${ctx.config.APP_ORIGIN}${pathAfter(place)}`;
  return download({
    fileName: `${name}-${dayIn(timeZone, now)}${after ? "-more" : ""}.zip`,
    contentType: "application/zip",
    content: streamOf(zipOf(ctx, parts, { from, next })),
  });
}

/** `after`: where the archive before it ended. */
export async function exportPerson(
  ctx: Ctx,
  actor: StaffActor,
  { personId, after }: { personId: string; after: string },
): Promise<ActionResult<never>> {
  const person = await findPersonalData(ctx.db, personId);
  if (!person) return notFound();
  const pathAfter = (place: string) => personFilePath(person.id, place);
  return sendPersonFiles(ctx, actor, person, { after, page: personPath(personId), name: "person", pathAfter });
}
