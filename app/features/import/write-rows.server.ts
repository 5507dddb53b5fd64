import { eq, type SQL, sql } from "drizzle-orm";
import { expectThat, insertRows, jsonParameters, rowValue, type Statement } from "~/db/client.server";
import { importedRecords, imports } from "~/db/schema/imports";
import { counters } from "~/db/schema/infrastructure";
import { contacts, organizationDomains, organizations } from "~/db/schema/organizations";
import { attachments } from "~/db/schema/subjects";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketEvents, ticketMessages, tickets } from "~/db/schema/tickets";
import type { StoredFile } from "~/features/attachments/store-attachment.server";
import { recipientHash } from "~/features/mail/enqueue-mail.server";
import { organizationTexts, slugOf } from "~/features/organizations/model";
import { freeSlug } from "~/features/organizations/queries.server";
import { searchTextBehindNumber } from "~/features/tickets/queries.server";
import { fold } from "~/lib/text";
import type { Ctx } from "~/platform/context.server";
import type { ImportedFile } from "./model";
import { outcomesChanged, type Part, type StoredImport } from "./queries.server";
import type { Resolution, ResolvedRow } from "./resolve-rows.server";

type WriteContext = Pick<Ctx, "config" | "db" | "newId" | "now">;

/** `place`: the number of the row in its file. */
type PlacedRow = Resolution & { place: number };

type Written = { targetId: string; resolved: ResolvedRow };

/** What comes with tickets, by what their rows say of it. */
export type StoredFiles = Map<ImportedFile, StoredFile>;

/** Writes rows with what is remembered of them, and what became of each. */
export function rowsWritten(
  ctx: WriteContext,
  order: StoredImport,
  rows: readonly PlacedRow[],
  files: StoredFiles,
): Part {
  const { db } = ctx;
  const prefix = { organizations: "org", people: "con", tickets: "tkt" }[order.kind];
  const written: Written[] = [];
  let added = 0;
  const outcomes = rows.map(({ place, outcome, reason, resolved }) => {
    if (!resolved) return { row: place, outcome, reason, targetId: null };
    const isOld = resolved.kind === "known_organization" || resolved.kind === "new_messages";
    const here = resolved.kind === "new_messages" ? resolved.ticketId : ctx.newId(prefix);
    const targetId = resolved.kind === "known_organization" ? resolved.id : here;
    written.push({ targetId, resolved });
    if (!isOld) added += 1;
    return { row: place, outcome, reason, targetId };
  });
  const messages = written.reduce(
    (sum, { resolved }) => sum + ("messages" in resolved ? resolved.messages.length : 0),
    0,
  );
  return {
    set: {
      added: order.added + added,
      messages: order.messages + messages,
      position: order.position + rows.length,
    },
    statements: [
      ...organizationStatements(ctx, order, written),
      ...personStatements(ctx, order, written),
      ...ticketStatements(ctx, order, { written, files }),
      ...outcomesChanged(db, order, outcomes),
    ],
  };
}

type Remembered = { target_id: string; old_number: string | null; messages?: number };
type RecordKind = (typeof importedRecords.$inferInsert)["kind"];

const remember = (
  { db, now }: WriteContext,
  order: StoredImport,
  kind: RecordKind,
  records: readonly Remembered[],
): Statement[] =>
  insertRows(db, importedRecords, records, { import_id: order.id, kind, source: order.preset, added_at: now() });

/** What is known of an organization that is made for the rows that name it. */
const MADE = { description: "", plan: "none", contractStart: null, oldId: null, domains: [] as string[] } as const;

/** One statement each: a slug must be free behind those before it. */
function organizationStatements(ctx: WriteContext, order: StoredImport, written: readonly Written[]): Statement[] {
  const { db, now } = ctx;
  const made = written.flatMap(({ resolved }) =>
    "organization" in resolved && resolved.organization.isNew ? [resolved.organization] : [],
  );
  const added = [
    ...written.flatMap(({ targetId, resolved }) =>
      resolved.kind === "organizations" ? [{ id: targetId, ...resolved.row, domains: resolved.domains }] : [],
    ),
    ...[...new Set(made)].map(({ id, name }) => ({ ...MADE, id, name })),
  ];
  const known = written.flatMap(({ resolved }) => (resolved.kind === "known_organization" ? [resolved] : []));
  const domains = added.flatMap(({ id, domains: own }) => own.map((domain) => ({ organization_id: id, domain })));
  return [
    ...added.map(({ id, name, description, plan, contractStart }) =>
      db.insert(organizations).values({
        id,
        ...organizationTexts({ name, description }),
        slug: freeSlug(slugOf(name)),
        plan,
        contract_started_at: plan === "none" ? null : (contractStart ?? now()),
        created_at: now(),
        updated_at: now(),
      }),
    ),
    ...insertRows(db, organizationDomains, domains, { created_at: now() }),
    ...remember(
      ctx,
      order,
      "organization",
      added.map(({ id, oldId }) => ({ target_id: id, old_number: oldId })),
    ),
    // No undo takes away what was here before.
    ...jsonParameters(known).map((text) =>
      db
        .insert(importedRecords)
        .select(sql`SELECT value ->> 'id', ${order.id}, 'organization', ${order.preset}, value ->> 'oldId', 0, ${now()}, 1
          FROM json_each(${text}) WHERE 1`)
        .onConflictDoNothing(),
    ),
  ];
}

type NewContact = { id: string; organization_id: string; email: string; full_name: string; phone: string };

function contactStatements(ctx: WriteContext, order: StoredImport, people: readonly NewContact[]): Statement[] {
  if (people.length === 0) return [];
  const { db, now } = ctx;
  const rows = people.map((person) => ({ ...person, search_name: fold(person.full_name) }));
  const keys = JSON.stringify(
    people.map(({ email, organization_id }) => ({ email, organization_id, hash: recipientHash(ctx, email) })),
  );
  return [
    // Somebody may have got an account there meanwhile, of which there is no contact, or have been erased.
    expectThat(
      db,
      sql`NOT EXISTS (SELECT 1 FROM json_each(${keys}) k CROSS JOIN users u ON u.email = k.value ->> 'email'
        WHERE u.is_staff = 1 OR EXISTS (SELECT 1 FROM organization_memberships m WHERE m.user_id = u.id
          AND m.organization_id = k.value ->> 'organization_id' AND m.status <> 'pending'))
        AND NOT EXISTS (SELECT 1 FROM json_each(${keys}) k
          CROSS JOIN erased_addresses e ON e.email_hash = k.value ->> 'hash')`,
    ),
    ...insertRows(db, contacts, rows, { created_at: now() }),
    ...remember(
      ctx,
      order,
      "contact",
      people.map(({ id }) => ({ target_id: id, old_number: null })),
    ),
  ];
}

const personStatements = (ctx: WriteContext, order: StoredImport, written: readonly Written[]): Statement[] =>
  contactStatements(
    ctx,
    order,
    written.flatMap(({ targetId: id, resolved }) =>
      resolved.kind === "people"
        ? [
            {
              id,
              organization_id: resolved.organization.id,
              email: resolved.row.email,
              full_name: resolved.row.name,
              phone: resolved.row.phone,
            },
          ]
        : [],
    ),
  );

/** Selects the contact with an address in the row of a parameter. */
const contactOf = (email: SQL, organizationId: SQL): SQL =>
  sql`(SELECT c.id FROM contacts c WHERE c.email = ${email} AND c.organization_id = ${organizationId})`;

/**
 * Tickets come with neither clock nor announcement: nothing is promised of them until their client writes. Those that
 * wait for the client say not since when, so that no one is reminded of what was long ago.
 */
function ticketStatements(
  ctx: WriteContext,
  order: StoredImport,
  { written, files }: { written: readonly Written[]; files: StoredFiles },
): Statement[] {
  const added = written.flatMap(({ targetId, resolved }) =>
    resolved.kind === "tickets" ? [{ id: targetId, ...resolved }] : [],
  );
  const later = written.flatMap(({ resolved }) => (resolved.kind === "new_messages" ? [resolved] : []));
  if (added.length + later.length === 0) return [];
  const { db, now, newId } = ctx;
  const rows = added.map(({ id, row, organization, creator, messages }, index) => {
    const opened = row.opened ?? now();
    const isClosed = row.status === "closed";
    const ended = isClosed ? Math.max(row.closed ?? opened, ...messages.map(({ at }) => at)) : null;
    return {
      id,
      place: index + 1,
      organization_id: organization.id,
      title: row.title,
      description: row.description,
      priority: row.priority,
      category: row.category,
      status: row.status,
      created_by: creator.userId,
      email: creator.contactEmail,
      creator_name: creator.name,
      assigned_to: row.assigneeId,
      old_number: row.oldNumber,
      opened,
      ended,
      viewers: creator.userId === null ? "" : `~${creator.userId}.`,
      before: `${fold(row.title)}\nt-`,
      behind: searchTextBehindNumber({
        oldNumber: row.oldNumber,
        description: row.description,
        organization: organization.name,
      }),
      eventId: newId("evt"),
      copyId: newId("cpy"),
    };
  });
  const attached = (subject_id: string, message_id: string | null, own: readonly ImportedFile[]) =>
    own.flatMap((file) => {
      const { key: r2_key, ...stored } = files.get(file) ?? {};
      return r2_key ? [{ id: newId("att"), subject_id, message_id, r2_key, ...stored }] : [];
    });
  const attachmentRows = added.flatMap(({ id, row }) => attached(id, null, row.files));
  const messages = [...added, ...later.map(({ ticketId: id, ...more }) => ({ id, ...more }))].flatMap(
    ({ id, organization, messages: own }) =>
      own.map(({ text, isInternal, side, at, author, files: sent }) => {
        const messageId = newId("msg");
        attachmentRows.push(...attached(id, messageId, sent));
        return {
          id: messageId,
          ticket_id: id,
          organization_id: organization.id,
          user_id: author.userId,
          email: author.contactEmail,
          author: author.name,
          side,
          isInternal: isInternal ? 1 : 0,
          text,
          at,
        };
      }),
  );
  const isLater = new Set(later.map(({ ticketId }) => ticketId));
  const counts = JSON.stringify(later.map(({ ticketId: id, messages: own }) => ({ id, count: own.length })));
  const newContacts = added.flatMap(({ organization, creator, isNewContact }) =>
    isNewContact && creator.contactEmail !== null
      ? [
          {
            id: newId("con"),
            organization_id: organization.id,
            email: creator.contactEmail,
            full_name: creator.name,
            phone: "",
          },
        ]
      : [],
  );
  const contact = contactOf(rowValue("email"), rowValue("organization_id"));
  return [
    ...contactStatements(ctx, order, newContacts),
    ...(rows.length === 0 ? [] : numberStatements(ctx, order, rows.length)),
    ...insertRows(db, tickets, rows, {
      created_at: rowValue("opened"),
      updated_at: rowValue("opened"),
      number: numberOf(rows.length),
      contact_id: contact,
      is_private: 0,
      resolved_at: rowValue("ended"),
      closed_at: rowValue("ended"),
      last_message_at: rowValue("opened"),
      promise_json: "{}",
      search_text: sql`(${rowValue("before")}) || ${numberOf(rows.length)} || (${rowValue("behind")})`,
    }),
    ...insertRows(db, ticketEvents, rows, {
      id: rowValue("eventId"),
      ticket_id: rowValue("id"),
      kind: "opened",
      to_value: "open",
      actor_id: sql`coalesce(${rowValue("created_by")}, ${contact})`,
      actor_name: rowValue("creator_name"),
      actor_side: "client",
      at: rowValue("opened"),
    }),
    // By these rows people without an account are answered, and may answer.
    ...insertRows(
      db,
      ticketCopies,
      rows.filter(({ email }) => email !== null),
      { id: rowValue("copyId"), ticket_id: rowValue("id"), contact_id: contact, added_at: now() },
    ),
    // Every column in its order, as an insert from a query has them.
    ...jsonParameters(messages).map((text) =>
      db.insert(ticketMessages).select(sql`
        SELECT value ->> 'id', value ->> 'at', value ->> 'at', 1, value ->> 'organization_id', value ->> 'ticket_id',
          value ->> 'user_id', ${contact}, value ->> 'author', value ->> 'side', value ->> 'isInternal', value ->> 'text',
          NULL, '[]' FROM json_each(${text})`),
    ),
    ...insertRows(db, attachments, attachmentRows, { created_at: now(), subject_type: "ticket" }),
    ...remember(
      ctx,
      order,
      "ticket",
      added.map(({ id, row, messages: own }) => ({
        target_id: id,
        old_number: row.oldNumber,
        messages: own.length,
      })),
    ),
    ...remember(
      ctx,
      order,
      "message",
      messages
        .filter((message) => isLater.has(message.ticket_id))
        .map(({ id }) => ({ target_id: id, old_number: null })),
    ),
    ...(later.length === 0
      ? []
      : [
          db
            .update(importedRecords)
            .set({
              messages: sql`${importedRecords.messages} + (SELECT sum(value ->> 'count') FROM json_each(${counts})
              WHERE value ->> 'id' = ${importedRecords.target_id})`,
            })
            .where(sql`${importedRecords.target_id} IN (SELECT value ->> 'id' FROM json_each(${counts}))`),
        ]),
  ];
}

const numberStatements = ({ db }: WriteContext, { id }: StoredImport, count: number): Statement[] => [
  db
    .update(counters)
    .set({ value: sql`${counters.value} + ${count}` })
    .where(eq(counters.name, "ticket")),
  db
    .update(imports)
    .set({
      last_number: COUNTED,
      first_number: sql`coalesce(${imports.first_number}, CAST(${COUNTED} - ${count} + 1 AS INTEGER))`,
    })
    .where(eq(imports.id, id)),
];

const COUNTED: SQL = sql`(SELECT c.value FROM counters c WHERE c.name = 'ticket')`;

/** The numbers of a batch end with that of the counter. A bound parameter may arrive as REAL. */
const numberOf = (count: number): SQL => sql`CAST(${COUNTED} - ${count} + (${rowValue("place")}) AS INTEGER)`;
