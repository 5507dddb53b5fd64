import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { commit, type Db, expectChange, expectThat, type Statement } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { importRows, imports, importWords } from "~/db/schema/imports";
import { blockedSenders, inboundMail } from "~/db/schema/inbound-mail";
import { contacts, organizationMemberships, otherAddresses } from "~/db/schema/organizations";
import { capturedMails, mailAddressHolds, outbox } from "~/db/schema/outbox";
import { erasedAddresses, personErasures } from "~/db/schema/privacy";
import { mfaBackupCodes, mfaEnrollments, userMfaSettings } from "~/db/schema/security";
import { authTokens, sessions } from "~/db/schema/sessions";
import { contactSubmissions } from "~/db/schema/submissions";
import { proposedCopies, ticketCopies } from "~/db/schema/ticket-work";
import { ticketMessages } from "~/db/schema/tickets";
import { deleteOrphans, listKeysOf } from "~/features/attachments/queries.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { rewordErased } from "~/features/audit/reword-audit.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { removePendingMemberships } from "~/features/invitations/targets.server";
import { enqueueMail, eraseMail, eraseMails, recipientHash } from "~/features/mail/enqueue-mail.server";
import { endArchives, eraseSubjects, eraseTexts } from "~/features/subjects/erase-subjects.server";
import { HOLDS_IN_FORCE, isOnHold } from "~/features/subjects/legal-hold.server";
import { isActiveAdmin, isNoSoleOwner, isOtherAdmin } from "~/features/user-management/queries.server";
import { nameColumns } from "~/features/users/model";
import { mailboxOf } from "~/lib/email";
import { fail, ok, type Result } from "~/lib/errors";
import { FORMER_MEMBER, fold } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { disconnectUser } from "~/live/publish.server";
import type { Ctx } from "~/platform/context.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { ERASED_FILE, ERASED_ROW } from "./labels";
import { ERASED_PREFIX, type Erased, type EraseError, type Person } from "./model";
import { erasedWith, findClosureRequest, findPersonalData, furtherAddressesOf } from "./queries.server";

/**
 * `person`: the column with the account or the contact; without one the name itself is compared. `cleared`: columns
 * that become NULL, so that what is done is not found again.
 */
type NamePlace = {
  table: string;
  name?: string;
  person?: string;
  cleared?: readonly string[];
  /** The name is a part of the text. */
  isWithin?: true;
  /** Otherwise the table is gone through by its row ids. */
  isIndexed?: true;
  /** The audit keeps what it says: only nobody finds it by the name any more. */
  isAudit?: true;
  /** What waits to be imported goes on without them. */
  isImport?: true;
};

/**
 * In the order in which they are replaced. The test of the erasure looks into every table, so that no place is
 * forgotten.
 */
export const NAME_PLACES: readonly NamePlace[] = [
  {
    table: "support_tickets",
    name: "creator_name",
    person: "created_by",
    cleared: ["created_by"],
    isIndexed: true,
  },
  { table: "ticket_messages", name: "author_name", person: "user_id", cleared: ["user_id"], isIndexed: true },
  { table: "support_tickets", name: "creator_name", person: "contact_id", cleared: ["contact_id"], isIndexed: true },
  { table: "ticket_messages", name: "author_name", person: "contact_id", cleared: ["contact_id"], isIndexed: true },
  { table: "support_tickets", person: "opened_by", cleared: ["opened_by"], isIndexed: true },
  { table: "support_tickets", person: "assigned_to", cleared: ["assigned_to"], isIndexed: true },
  { table: "contact_submissions", person: "owner_id", cleared: ["owner_id"], isIndexed: true },
  { table: "ticket_events", name: "actor_name", person: "actor_id" },
  { table: "ticket_events", name: "from_value" },
  { table: "ticket_events", name: "to_value" },
  { table: "admin_notes", name: "author_name", person: "admin_user_id" },
  { table: "submission_events", name: "actor_name", person: "actor_id" },
  { table: "submission_assignments", name: "actor_name", person: "actor_id" },
  { table: "submission_assignments", name: "owner_name" },
  { table: "submission_replies", name: "actor_name", person: "actor_id" },
  { table: "allowance_entries", name: "actor_name", person: "actor_id" },
  { table: "allowance_entries", name: "reversed_by_name" },
  { table: "invitations", name: "inviter_name", person: "invited_by" },
  { table: "mail_events", name: "actor_name" },
  { table: "security_alerts", name: "acknowledged_name", person: "acknowledged_by" },
  { table: "letters", name: "released_by_name" },
  { table: "legal_holds", name: "placed_by_name" },
  { table: "legal_holds", name: "lifted_by_name" },
  { table: "live_events", name: "label", isWithin: true },
  { table: "audit_events", isAudit: true },
  { table: "import_rows", isImport: true },
];

/** Nobody but accounts and contacts has written anything here but submissions; who was invited is named, too. */
const FIRST_OF_OTHERS = NAME_PLACES.findIndex(({ isAudit }) => isAudit);

/** The audit forgets all addresses of a person at once, a file each by itself. */
const FIRST_OF_ADDRESSES = NAME_PLACES.length - 1;

/** `ids`: as JSON. */
function eraseSubmissions({ db }: Pick<Ctx, "db">, ids: string): Statement[] {
  const among = sql`SELECT value FROM json_each(${ids})`;
  return [
    db.delete(contactSubmissions).where(sql`${contactSubmissions.id} IN (${among})`),
    ...eraseSubjects(db, "submission", among),
  ];
}

const hasLeftHeld = (userId: string): SQL => sql`EXISTS (SELECT 1 FROM ${HOLDS_IN_FORCE} h
  WHERE h.subject_type = 'organization' AND (
    EXISTS (SELECT 1 FROM audit_events e INDEXED BY audit_by_subject WHERE e.subject_type = 'user'
      AND e.subject_id = ${userId} AND e.org_id = h.subject_id
      AND e.action IN ('organization.member_removed', 'organization.member_left'))
    OR EXISTS (SELECT 1 FROM support_tickets t INDEXED BY tickets_by_creator
      WHERE t.created_by = ${userId} AND t.organization_id = h.subject_id)
    OR EXISTS (SELECT 1 FROM ticket_messages m INDEXED BY ticket_messages_by_author
      WHERE m.user_id = ${userId} AND m.organization_id = h.subject_id)))`;

const hasWrittenOnHeld = (userId: string): SQL => sql`EXISTS (SELECT 1 FROM ${HOLDS_IN_FORCE} h
  CROSS JOIN support_tickets t ON t.id = h.subject_id WHERE h.subject_type = 'ticket' AND (t.created_by = ${userId}
    OR EXISTS (SELECT 1 FROM ticket_messages m WHERE m.ticket_id = t.id AND m.user_id = ${userId})))`;

const hasCopiesOfHeld = (email: string): SQL => sql`EXISTS (SELECT 1 FROM (
    SELECT ticket_id, organization_id FROM ticket_copies WHERE email IN ${erasedWith(email)}
    UNION ALL SELECT ticket_id, organization_id FROM proposed_copies WHERE email IN ${erasedWith(email)}) c
  WHERE (${isOnHold("ticket", sql`c.ticket_id`)} OR ${isOnHold("organization", sql`c.organization_id`)}))`;

const hasAskedHeld = (email: string): SQL => sql`EXISTS (SELECT 1 FROM contacts k WHERE k.email = ${email}
  AND (${isOnHold("organization", sql`k.organization_id`)}
    OR EXISTS (SELECT 1 FROM support_tickets t WHERE t.contact_id = k.id AND ${isOnHold("ticket", sql`t.id`)})
    OR EXISTS (SELECT 1 FROM ticket_messages m WHERE m.contact_id = k.id AND ${isOnHold("ticket", sql`m.ticket_id`)})))`;

const hasMailOnHeld = (email: string): SQL => sql`EXISTS (SELECT 1 FROM (
    SELECT ticket_id FROM inbound_mail WHERE from_address IN ${erasedWith(email)}
    UNION ALL SELECT ticket_id FROM inbound_mail WHERE original_address IN ${erasedWith(email)}) i
  CROSS JOIN support_tickets t ON t.id = i.ticket_id
  WHERE (${isOnHold("ticket", sql`t.id`)} OR ${isOnHold("organization", sql`t.organization_id`)}))`;

/**
 * Themselves, a submission, a ticket they have written or mailed on or get copies of, an organization they belong to or
 * belonged to.
 */
export const isPersonHeld = ({ userId, email }: Person): SQL => sql`(${isOnHold("user", userId ?? "")}
  OR EXISTS (SELECT 1 FROM contact_submissions s WHERE s.email IN ${erasedWith(email)} AND ${isOnHold("submission", sql`s.id`)})
  OR EXISTS (SELECT 1 FROM organization_memberships m WHERE m.user_id = ${userId ?? ""}
    AND ${isOnHold("organization", sql`m.organization_id`)})
  OR ${hasLeftHeld(userId ?? "")} OR ${hasWrittenOnHeld(userId ?? "")}
  OR ${hasCopiesOfHeld(email)} OR ${hasAskedHeld(email)} OR ${hasMailOnHeld(email)})`;

const CLOSED = { state: "closed", reason: null } as const;

/** The job that erases the rest deletes further ones. */
export const SUBMISSIONS_AT_ONCE = 100;

/** The store deletes no more in one call. The job that sweeps stored mail deletes further ones. */
const MAILS_AT_ONCE = 1_000;

/** As one value: a statement takes a hundred. */
const listOf = (texts: readonly string[]): SQL => sql`(SELECT value FROM json_each(${JSON.stringify(texts)}))`;

const hashesOf = (ctx: Pick<Ctx, "config">, emails: readonly string[]): SQL =>
  listOf(emails.map((email) => recipientHash(ctx, email)));

export const isQueuedFor = (ctx: Pick<Ctx, "config">, emails: readonly string[]): SQL =>
  sql`${outbox.status} IN ('pending', 'sending', 'uncertain') AND ${outbox.to_hash} IN ${hashesOf(ctx, emails)}
    AND ${outbox.params_enc} IS NOT NULL`;

export const isNotLastAdmin = (userId: string): SQL =>
  sql`(${isOtherAdmin(userId)} OR NOT EXISTS (SELECT 1 FROM user_roles WHERE user_id = ${userId} AND role = 'admin'))`;

/**
 * Access, address and name go in one batch with submissions and waiting mails. Their name in what they have written
 * follows after the response, or by the job `erase-people`.
 */
export async function erasePerson(
  ctx: Ctx,
  actor: StaffActor,
  { personId, nonce }: { personId: string; nonce: string },
): Promise<Result<null, EraseError>> {
  const { db } = ctx;
  const form = { scope: "erase-person", key: nonce };
  const erased = await runCommand(ctx, form, {
    read: () => findPersonalData(db, personId),
    plan: async (person): Promise<Planned<EraseError>> => {
      if (!person) return fail("person_not_found");
      const { userId, email } = person;
      if (userId === actor.userId) return fail("own_account");
      const found = await db.all<{ id: string }>(sql`
        SELECT id FROM contact_submissions WHERE email IN ${erasedWith(email)} LIMIT ${SUBMISSIONS_AT_ONCE}`);
      const ids = JSON.stringify(found.map(({ id }) => id));
      const further = (await furtherAddresses(db, email)).map((other) => other.email);
      const hasAsked = userId !== null && (await findClosureRequest(db, userId)) !== null;
      const keys = await listKeysOf(db, "submission", sql`SELECT value FROM json_each(${ids})`);
      const mails = await db.all<{ key: string }>(
        sql`SELECT object_key AS key FROM inbound_mail WHERE ${isTheirMail(email)} LIMIT ${MAILS_AT_ONCE}`,
      );
      return ok({
        resultId: personId,
        expects: [
          { that: sql`NOT ${isPersonHeld(person)}`, otherwise: "on_hold" },
          ...(userId
            ? [
                { that: isNotLastAdmin(userId), otherwise: "last_admin" as const },
                { that: isNoSoleOwner(userId), otherwise: "sole_owner" as const },
              ]
            : []),
          { that: isActiveAdmin(actor.userId), otherwise: "denied" },
        ],
        statements: [
          recordAudit(ctx, "user.erased", { subject: { type: "user", id: userId, label: null } }),
          expectThat(
            db,
            sql`NOT EXISTS (SELECT 1 FROM ${furtherAddressesOf(email)} WHERE email NOT IN ${listOf(further)})`,
          ),
          ...erasureOf(ctx, person, { submissions: ids, further }),
          endArchives(db),
          ...(hasAsked ? [enqueueMail(ctx, "account-closure", { to: email, about: null, data: CLOSED })] : []),
        ],
        after: () => {
          if (userId) disconnectUser(ctx, userId);
          ctx.after(deleteOrphans(ctx, keys));
          if (mails.length > 0) ctx.after(ctx.files.delete(mails.map(({ key }) => key)));
          ctx.after(eraseRestOfPeople(ctx));
        },
      });
    },
  });
  return erased.ok ? ok(null) : erased;
}

/** Goes with the person: whoever brings it back in a file would bring them back. */
export const furtherAddresses = (db: Db, email: string) =>
  db.select({ email: sql<string>`email` }).from(furtherAddressesOf(email));

/**
 * What gives access or names the person by itself, and the row by which the job finds the rest. A restored backup is
 * told it again. `submissions`: the ids of some of theirs, as JSON.
 */
export function erasureOf(
  ctx: Pick<Ctx, "config" | "db" | "now">,
  person: Person,
  { submissions, further }: { submissions: string; further: readonly string[] },
): Statement[] {
  const { db } = ctx;
  const { id, userId, name, email } = person;
  const at = ctx.now();
  const isTheirs = sql`email IN ${erasedWith(email)}`;
  const emails = [email, ...further];
  return [
    ...eraseSubmissions(ctx, submissions),
    eraseMails(db, sql`SELECT id FROM outbox WHERE ${isQueuedFor(ctx, emails)}`),
    db.delete(capturedMails).where(sql`${capturedMails.to} IN ${listOf(emails)}`),
    db.delete(mailAddressHolds).where(sql`${mailAddressHolds.to_hash} IN ${hashesOf(ctx, emails)}`),
    ...eraseMailOf(db, email),
    db.delete(blockedSenders).where(isTheirs),
    db.delete(ticketCopies).where(sql`${isTheirs} OR stopped_mailbox = ${mailboxOf(email)} OR member_id = ${userId}`),
    db.delete(proposedCopies).where(isTheirs),
    db
      .delete(otherAddresses)
      .where(
        sql`email = ${email} OR user_id = ${userId} OR contact_id IN (SELECT id FROM contacts WHERE email = ${email})`,
      ),
    ...removePendingMemberships(ctx, sql`invited_email IN ${listOf(emails)}`),
    ...(userId ? eraseAccount(ctx, { ...person, userId }) : []),
    db.insert(personErasures).values({
      user_id: userId ?? id,
      name,
      email,
      requested_at: at,
      step: userId ? 0 : FIRST_OF_OTHERS,
    }),
    db.insert(personErasures).select(sql`
      SELECT 'adr_' || lower(hex(randomblob(13))), ${name}, value, ${at}, ${FIRST_OF_ADDRESSES}, 0
      FROM ${listOf(further)}`),
    db
      .insert(erasedAddresses)
      .select(sql`SELECT value, ${at} FROM ${hashesOf(ctx, emails)} WHERE true`)
      .onConflictDoUpdate({ target: erasedAddresses.email_hash, set: { erased_at: at } }),
    // A part that was begun before is done again, without them.
    db
      .update(imports)
      .set({ ...WITHOUT_SAMPLES, version: sql`${imports.version} + 1` })
      .where(inArray(imports.state, ["running", "undoing"])),
    db.delete(importWords).where(sql`field IN ('assignee', 'organization')
        AND (meaning = ${userId} OR lower(word) IN (lower(${name}), ${email}, ${fold(name)}))`),
    ...eraseContacts(db, email, at),
  ];
}

/** Notes that were made of a mail say whose it was before its words. */
function eraseMailOf(db: Ctx["db"], email: string): Statement[] {
  const [start, from] = [sql`(named.value || char(10))`, sql`('From ' || named.value || ', ')`];
  const head = sql`substr(${ticketMessages.message}, 1, length(${from}))`;
  return [
    db
      .update(ticketMessages)
      .set({
        message: sql`replace(${head}, named.value, ${FORMER_MEMBER}) || substr(${ticketMessages.message}, length(${from}) + 1)`,
      })
      // The address that it came from may have become known as theirs since.
      .from(sql`inbound_mail mail, json_each(json_array(mail.from_address, ${email})) named`)
      .where(sql`mail.id IN (SELECT id FROM inbound_mail WHERE ${isTheirMail(email)} AND effect = 'noted')
        AND ${ticketMessages.id} = mail.message_id
        AND (substr(${head}, 1, length(${start})) = ${start} OR ${head} = ${from})`),
    db.delete(inboundMail).where(isTheirMail(email)),
  ];
}

const isTheirMail = (
  email: string,
): SQL => sql`id IN (SELECT id FROM inbound_mail WHERE from_address IN ${erasedWith(email)}
  UNION ALL SELECT id FROM inbound_mail WHERE original_address IN ${erasedWith(email)})`;

/** The row stays until nothing refers to it: by it the job finds what the person has written. */
function eraseAccount(ctx: Pick<Ctx, "db" | "now">, { userId, email }: Person & { userId: string }): Statement[] {
  const { db } = ctx;
  return [
    db
      .update(users)
      .set({
        email: `${userId}@erased.invalid`,
        ...nameColumns(FORMER_MEMBER),
        phone: "",
        status: "deactivated",
        password_hash: null,
        pending_email: null,
        closure_requested_at: null,
        auth_epoch: sql`${users.auth_epoch} + 1`,
        updated_at: ctx.now(),
      })
      .where(and(eq(users.id, userId), eq(users.email, email))),
    expectChange(db),
    ...[sessions, authTokens, userMfaSettings, mfaEnrollments, mfaBackupCodes, userRoles, organizationMemberships].map(
      (table) => db.delete(table).where(eq(table.user_id, userId)),
    ),
    ...eraseTexts(db, "user", sql`SELECT ${userId}`),
    // Those to administrators, and to an address that was not confirmed.
    eraseMail(db, "user", sql`SELECT ${userId}`),
  ];
}

/** The rows stay, as that of an account does, until nothing refers to them. */
const eraseContacts = (db: Ctx["db"], email: string, at: Instant): Statement[] => [
  db
    .insert(personErasures)
    .select(sql`SELECT id, full_name, email, ${at}, 0, 0 FROM contacts WHERE email = ${email}`)
    // A contact that is erased itself has more to be gone through than submissions.
    .onConflictDoUpdate({ target: personErasures.user_id, set: { name: sql`excluded.name`, step: 0 } }),
  db
    .update(contacts)
    .set({ email: sql`${contacts.id} || '@erased.invalid'`, full_name: FORMER_MEMBER, search_name: "", phone: "" })
    .where(eq(contacts.email, email)),
];

const CHANGED_AT_ONCE = 200;
const LOOKED_AT_ONCE = 5_000;
const MAX_STATEMENTS = 40;

type RestContext = Pick<Ctx, "budget" | "config" | "db" | "files">;
type Erasure = typeof personErasures.$inferSelect;

export async function eraseRestOfPeople(ctx: RestContext): Promise<{ count: number; more: boolean }> {
  const { db } = ctx;
  let count = 0;
  for (let statements = 0; statements < MAX_STATEMENTS; statements += 1) {
    const [erasure] = await db.select().from(personErasures).orderBy(asc(personErasures.requested_at)).limit(1);
    if (!erasure) return { count, more: false };
    const isFirst = [0, FIRST_OF_OTHERS, FIRST_OF_ADDRESSES].includes(erasure.step);
    if (erasure.done_through === 0 && isFirst) await noteErased(ctx, erasure);
    const place = NAME_PLACES[erasure.step];
    if (place?.isImport && erasure.done_through === 0) await endImports(ctx);
    if (place?.isAudit) await rewordSome(ctx, erasure);
    else if (place) await replaceSome(ctx, erasure, place);
    else if (!(await eraseFurtherSubmissions(ctx, erasure))) {
      await finish(ctx, erasure);
      count += 1;
    }
    if (ctx.budget.isUsedUp()) break;
  }
  return { count, more: true };
}

async function noteErased(ctx: RestContext, { user_id: person, email, requested_at: at }: Erasure): Promise<void> {
  const erased: Erased = { at, person, email: recipientHash(ctx, email) };
  await ctx.files.put(`${ERASED_PREFIX}${at}-${person}.json`, new TextEncoder().encode(JSON.stringify(erased)));
}

async function replaceSome({ db }: RestContext, erasure: Erasure, place: NamePlace): Promise<void> {
  const { done_through: from } = erasure;
  const table = sql.raw(place.table);
  const { isTheirs, changes } = place.isImport ? inImports(erasure) : inRecords(erasure, place);
  const rows = place.isIndexed
    ? sql`rowid IN (SELECT rowid FROM ${table} WHERE ${isTheirs} LIMIT ${CHANGED_AT_ONCE})`
    : sql`rowid > ${from} AND rowid <= ${from + LOOKED_AT_ONCE} AND ${isTheirs} AND ${unlessShared(place, erasure)}`;
  const [last] = place.isIndexed
    ? await db.all<{ last: number }>(
        sql`SELECT 1 AS last FROM ${table} WHERE ${isTheirs} LIMIT 1 OFFSET ${CHANGED_AT_ONCE}`,
      )
    : await db.all<{ last: number }>(
        sql`SELECT 1 AS last FROM ${table} WHERE rowid > ${from + LOOKED_AT_ONCE} LIMIT 1`,
      );
  await db.run(sql`UPDATE ${table} SET ${changes} WHERE ${rows}`);
  await goOn(db, erasure, last ? from + LOOKED_AT_ONCE : null);
}

/** `through`: null if the place is done. */
async function goOn(db: RestContext["db"], erasure: Erasure, through: number | null): Promise<void> {
  await db
    .update(personErasures)
    .set(through === null ? { step: erasure.step + 1, done_through: 0 } : { done_through: through })
    // The run after the response and the job may do the same part at once. Whoever is late does not count it again.
    .where(
      and(
        eq(personErasures.user_id, erasure.user_id),
        eq(personErasures.step, erasure.step),
        eq(personErasures.done_through, erasure.done_through),
      ),
    );
}

async function rewordSome({ db }: RestContext, erasure: Erasure): Promise<void> {
  const { user_id: userId, requested_at: at, done_through: after } = erasure;
  const looked = after + LOOKED_AT_ONCE;
  const names = sql`t.id <= ${looked} AND (t.actor_id = ${userId}
    OR EXISTS (SELECT 1 FROM json_each(t.meta_json, '$.people') named WHERE named.value = ${userId}
      OR named.value IN (SELECT email_hash FROM erased_addresses WHERE erased_at = ${at})))`;
  const last = await rewordErased(db, names, after);
  const [further] = await db.all(sql`SELECT 1 FROM audit_events WHERE id > ${last ?? looked} LIMIT 1`);
  await goOn(db, erasure, further ? (last ?? looked) : null);
}

type Replacement = { isTheirs: SQL; changes: SQL };

function inRecords({ user_id: userId, name }: Erasure, place: NamePlace): Replacement {
  if (place.isWithin) {
    const [column, words] = [sql.raw(place.name ?? ""), ` ${name} `];
    return {
      isTheirs: sql`instr(' ' || ${column} || ' ', ${words}) > 0`,
      changes: sql`${column} = trim(replace(' ' || ${column} || ' ', ${words}, ${` ${FORMER_MEMBER} `}))`,
    };
  }
  const changes = [
    ...(place.name ? [sql`${sql.raw(place.name)} = ${FORMER_MEMBER}`] : []),
    ...(place.cleared ?? []).map((column) => sql`${sql.raw(column)} = NULL`),
  ];
  return {
    isTheirs: place.person ? sql`${sql.raw(place.person)} = ${userId}` : sql`${sql.raw(place.name ?? "")} = ${name}`,
    changes: sql.join(changes, sql`, `),
  };
}

/**
 * Takes a person out of the rows of files that are imported or have been: their own row is left out, and in those of
 * tickets nobody has their address or the name beside it. What was written stays, as it does in tickets.
 */
function inImports({ name, email }: Erasure): Replacement {
  const isOwn = sql`substr(key, 1, ${email.length + 1}) = ${`${email} `}`;
  // A row with another address is of somebody else, whatever their name is.
  const named = sql`(label = ${name} OR substr(label, 1, ${name.length + 2}) = ${`${name}, `})`;
  const labelled = sql`(lower(label) = ${email} OR lower(substr(label, -${email.length + 2})) = ${`, ${email}`}
    OR (instr(key, '@') = 0 AND ${named}))`;
  const inData = sql`instr(data, ${JSON.stringify(email)}) > 0`;
  const without = [
    [`"email":${JSON.stringify(email)}`, '"email":""'],
    ...["name", "author"].map((field) => [
      `${JSON.stringify(field)}:${JSON.stringify(name)}`,
      `${JSON.stringify(field)}:${JSON.stringify(FORMER_MEMBER)}`,
    ]),
  ].reduce((text, [from, to]) => sql`replace(${text}, ${from}, ${to})`, sql`data`);
  return {
    isTheirs: sql`${email} <> '' AND (${isOwn} OR ${labelled} OR ${inData})`,
    changes: sql`label = iif(${isOwn} OR ${labelled}, ${FORMER_MEMBER}, label), key = iif(${isOwn}, '', key),
      outcome = iif(${isOwn} AND data IS NOT NULL, 'refused', outcome),
      reason = iif(${isOwn} AND data IS NOT NULL, ${ERASED_ROW}, reason),
      data = iif(${isOwn}, NULL, ${without})`,
  };
}

/** Once nothing has to be chosen any more, nobody needs the words that were read in its columns. */
const WITHOUT_SAMPLES = {
  file_json: sql`json_set(${imports.file_json}, '$.columns', json('[]'))`,
  mapping_json: sql`json_remove(${imports.mapping_json}, '$.words', '$.names')`,
};

export const WITHOUT_FILE = { ...WITHOUT_SAMPLES, file_key: "" };

/**
 * Whoever was erased may be anywhere in a file that waits, or in its ZIP. One that is being imported goes on without
 * them, and its file goes when it stops.
 */
export async function endImports({ db, files }: Pick<Ctx, "db" | "files">): Promise<void> {
  const isOver = sql`(file_key <> '' OR archive_key <> '') AND state NOT IN ('running', 'undoing')
    AND created_at <= (SELECT max(erased_at) FROM erased_addresses)`;
  const found = await db.select().from(imports).where(isOver);
  if (found.length === 0) return;
  const isFound = sql`id IN (SELECT value FROM json_each(${JSON.stringify(found.map(({ id }) => id))}))`;
  const waiting = sql`SELECT id FROM imports WHERE ${isOver} AND started_at IS NULL AND ${isFound}`;
  const asFailed = { state: "failed", problem: ERASED_FILE, file_json: null, mapping_json: null } as const;
  const gone = { ...WITHOUT_FILE, archive_key: "", version: sql`${imports.version} + 1` };
  await commit(db, [
    db.delete(importRows).where(sql`import_id IN (${waiting})`),
    db
      .update(imports)
      .set({ ...gone, ...asFailed })
      .where(sql`id IN (${waiting})`),
    db.update(imports).set(gone).where(sql`${isOver} AND ${isFound}`),
  ]);
  // One that was started meanwhile needs its own until its end.
  const left = await db
    .select({ id: imports.id })
    .from(imports)
    .where(sql`(file_key <> '' OR archive_key <> '') AND ${isFound}`);
  const ended = found.filter(({ id }) => !left.some((each) => each.id === id));
  await files.delete(ended.flatMap(({ file_key, archive_key }) => [file_key, archive_key].filter(Boolean)));
}

/** A namesake keeps theirs. They are found by the key that accounts are sorted by, which has an index. */
function unlessShared(place: NamePlace, { user_id: userId, name }: Erasure): SQL {
  if (place.person || place.isAudit || place.isImport) return sql`1`;
  const folded = fold(name);
  return sql`NOT EXISTS (SELECT 1 FROM users namesake
    WHERE namesake.name_key = iif(${folded} = '', char(1114111), substr(${folded}, 1, 60))
      AND namesake.full_name = ${name} AND namesake.id <> ${userId})`;
}

/** Who writes again after the erasure is somebody new: those submissions stay. Returns whether there were some. */
async function eraseFurtherSubmissions(ctx: RestContext, { email, requested_at }: Erasure): Promise<boolean> {
  const { db } = ctx;
  if (!email) return false;
  const found = await db.all<{ id: string }>(
    sql`SELECT s.id FROM contact_submissions s WHERE s.email = ${email} AND s.created_at <= ${requested_at}
      AND NOT ${isOnHold("submission", sql`s.id`)} LIMIT ${CHANGED_AT_ONCE}`,
  );
  if (found.length === 0) return false;
  const ids = JSON.stringify(found.map(({ id }) => id));
  const keys = await listKeysOf(db, "submission", sql`SELECT value FROM json_each(${ids})`);
  await commit(db, eraseSubmissions(ctx, ids));
  await deleteOrphans(ctx, keys);
  return true;
}

const finish = ({ db }: RestContext, { user_id: userId }: Erasure): Promise<boolean> =>
  commit(db, [
    db.delete(users).where(eq(users.id, userId)),
    db.delete(contacts).where(eq(contacts.id, userId)),
    db.delete(personErasures).where(eq(personErasures.user_id, userId)),
  ]);
