import { reset } from "cloudflare:test";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { organizations } from "~/db/schema/organizations";
import { ticketMessages, tickets } from "~/db/schema/tickets";
import { attachFile } from "~/features/attachments/store-attachment.server";
import { days, minutes } from "~/lib/time";
import { madeArchive } from "../../support/archives";
import { addDomain, makeContact } from "../../support/contacts";
import type { TestContext } from "../../support/context";
import { emptyDatabase } from "../../support/empty-database";
import { makeInvitedMember, makeMember, makePerson } from "../../support/factories";
import { dryRun, movedTo, outcomesOf } from "../../support/imports";
import { administrator, newOrganization } from "../../support/organizations";
import { storeFile } from "../../support/stored-files";
import { makeTicket } from "../../support/tickets";
import { unzip } from "../../support/unzip";

type Row = Record<string, unknown>;

const KINDS = ["organizations", "people", "tickets"] as const;

async function exported(world: Awaited<ReturnType<typeof administrator>>, organizationId: string) {
  const archive = await madeArchive(world.ctx, world.actor, { organizationId, isInternal: true });
  const files = unzip(archive);
  const lines = Object.fromEntries(KINDS.map((kind) => [kind, files.get(`data/${kind}.ndjson`) ?? ""])) as Record<
    (typeof KINDS)[number],
    string
  >;
  return { ...lines, archive };
}

const rowsIn = (lines: string): Row[] =>
  lines
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

const namesOf = (files: unknown) => (files as { name: string }[]).map(({ name }) => name);

/** What is another one in every installation, and what people without an account do not have. */
const comparable = {
  organizations: ({ old_id: _id, ...rest }: Row) => rest,
  // Who is invited has no name yet, and a person who is imported has one.
  people: ({ role: _role, status: _status, name, ...rest }: Row) => ({ ...rest, name: name || rest.email }),
  // An import keeps times to the second.
  tickets: ({ old_number: _number, assignee: _assignee, opened, closed, status, ...rest }: Row) => ({
    ...rest,
    opened: String(opened).slice(0, 19),
    closed: String(closed).slice(0, 19),
    // What was resolved there is closed here, because clients are mailed of what is resolved here.
    status: status === "resolved" ? "closed" : status,
    files: namesOf(rest.files),
    messages: (rest.messages as Row[]).map(({ email, side, at, ...message }) => ({
      ...message,
      files: namesOf(message.files),
      side,
      at: String(at).slice(0, 19),
      // Staff who have no account here are named, and have no address.
      email: side === "staff" ? null : email,
    })),
  }),
};

async function fill(base: TestContext, id: string) {
  const { db } = base;
  await db
    .update(organizations)
    .set({ plan: "core", contract_started_at: Date.parse("2025-03-01T00:00:00Z") })
    .where(eq(organizations.id, id));
  await addDomain(base, id, "elm.example");
  const dana = await makePerson(base, { fullName: "Dana “D” Ortiz", email: "dana@elm.example" });
  await makeMember(base, id, dana, "owner");
  await makeInvitedMember(base, id, { email: "soon@elm.example" });
  const lea = { email: "lea@elm.example", full_name: "Lea Dent", search_name: "lea dent", phone: "+1 555 0100" };
  await makeContact(base, id, { ...lea, created_at: base.now() });
  const statuses = ["open", "in_progress", "waiting_for_customer", "resolved", "closed"] as const;
  for (const [index, status] of statuses.entries()) {
    base.clock.advance(minutes(7));
    const ticket = await makeTicket(base, {
      ...{ organizationId: id, createdBy: dana, title: `=Printer, "${status}" 🖨`, status },
      ...{ priority: (["low", "medium", "high", "urgent", "low"] as const)[index] },
      description: `Line one\nLine two; <b>${status}</b>`,
    });
    const later = {
      category: index === 0 ? null : "Technical Support",
      resolved_at: sql`resolved_at + ${days(1)}`,
      closed_at: sql`closed_at + ${days(1)}`,
    };
    await db.update(tickets).set(later).where(eq(tickets.id, ticket.id));
    await attach(base, { ticketId: ticket.id, messageId: null, name: `${status}, 1.png`, bytes: PNG });
    for (const [said, side] of ["client", "staff", "staff"].entries()) {
      const messageId = base.newId("msg");
      await attach(base, { ticketId: ticket.id, messageId, name: "log.txt", bytes: Buffer.from(`${status} ${said}`) });
      await db.insert(ticketMessages).values({
        ...{ id: messageId, organization_id: id, ticket_id: ticket.id, side: side as "client" | "staff" },
        ...{ user_id: side === "client" ? dana.id : null, author_name: side === "client" ? dana.fullName : "Sam Lee" },
        ...{ message: `Said ${said}\n\n  indented`, is_internal: said === 2 },
        ...{ created_at: base.now() + said * 1_001, updated_at: base.now() },
      });
    }
  }
}

const PNG = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(300_000, "pixels")]);

type Attached = { ticketId: string; messageId: string | null; name: string; bytes: Uint8Array };

async function attach(base: TestContext, { ticketId, messageId, name, bytes }: Attached) {
  const stored = await storeFile(base, { name, kind: "txt", bytes });
  await attachFile(base, stored, { subject: { type: "ticket", id: ticketId }, messageId }).statement;
}

/** By the internal notes among them first: which file is with what, and what is in it. */
async function filesOf(base: TestContext, ticketId: string) {
  const rows = await base.db.all<{ name: string; key: string; message: string | null; isInternal: number | null }>(sql`
    SELECT a.name, a.r2_key AS key, m.message, m.is_internal AS isInternal FROM attachments a
    LEFT JOIN ticket_messages m ON m.id = a.message_id
    WHERE a.subject_type = 'ticket' AND a.subject_id = ${ticketId} ORDER BY m.is_internal DESC, m.message, a.name`);
  const read = async (key: string) => Buffer.from(await new Response(await base.files.get(key)).arrayBuffer());
  return Promise.all(
    rows.map(async ({ name, key, message, isInternal }) => {
      const bytes = await read(key);
      return [isInternal, message, name, bytes.equals(PNG) ? "the picture" : bytes.toString()];
    }),
  );
}

test("what an organization takes along is read by an import into an empty installation, and is the same there", async () => {
  const before = await administrator();
  const id = await newOrganization(before.ctx, before.actor, {
    name: "Elm & Sons",
    description: "Two clinics",
    plan: "core",
  });
  await fill(before.base, id);
  const taken = await exported(before, id);
  expect(rowsIn(taken.tickets)).toHaveLength(5);
  const [, second] = await before.base.db.select().from(tickets).orderBy(tickets.number);
  const sent = await filesOf(before.base, second?.id ?? "");
  expect(sent).toEqual([
    [1, expect.any(String), "log.txt", "in_progress 2"],
    [0, expect.any(String), "log.txt", "in_progress 0"],
    [0, expect.any(String), "log.txt", "in_progress 1"],
    [null, null, "in_progress, 1.png", "the picture"],
  ]);

  await reset();
  await emptyDatabase();
  const after = await administrator();
  // Nothing is from the future there.
  after.base.clock.set(before.base.now() + days(2));
  for (const kind of KINDS) {
    const run = await dryRun(after.base, { kind, content: taken.archive, name: "elm.zip" });
    expect([kind, run.state, run.problem, run.questions]).toEqual([kind, "checked", null, []]);
    const outcomes = await outcomesOf(after.base, run.id);
    expect(outcomes.filter(([, outcome]) => outcome !== "add" && outcome !== "noted")).toEqual([]);
    expect((await movedTo(after.base, run.id, "running")).state).toBe("done");
  }
  const [, come] = await after.base.db.select().from(tickets).orderBy(tickets.number);
  expect(await filesOf(after.base, come?.id ?? "")).toEqual(sent);
  const [here] = await after.base.db.select().from(organizations);
  const again = await exported(after, here?.id ?? "");
  for (const kind of KINDS) {
    const byText = (rows: Row[]) => rows.map((row) => JSON.stringify(row)).sort();
    const [there, now] = [rowsIn(taken[kind]).map(comparable[kind]), rowsIn(again[kind]).map(comparable[kind])];
    expect([kind, byText(now)]).toEqual([kind, byText(there)]);
  }
});
