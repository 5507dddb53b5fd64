import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { contacts, organizations } from "~/db/schema/organizations";
import { tickets } from "~/db/schema/tickets";
import { saveContact } from "~/features/contacts/commands.server";
import { findContacts } from "~/features/contacts/queries.server";
import { erasePerson } from "~/features/privacy/erase-person.server";
import type { HitGroup } from "~/features/search/model";
import { findByNumber, findOwnByNumber, searchForClient, searchForStaff } from "~/features/search/search.server";
import { viewerOf } from "~/features/tickets/access.server";
import { ok } from "~/lib/errors";
import { makeMember, makePerson, makeSubmission, memberOf, type Person } from "../../support/factories";
import { recordedContext } from "../../support/recorded-database";
import { makeTicket, ticketWorld } from "../../support/tickets";

type Ticket = Awaited<ReturnType<typeof makeTicket>>;

let world: Awaited<ReturnType<typeof ticketWorld>>;
let shared: Ticket;
let hidden: Ticket;
let foreign: Ticket;

/** Writes a message on a ticket. */
async function write(ticketId: string, message: string, isInternal = false): Promise<void> {
  const { base } = world;
  const [side, author] = isInternal ? ["staff", "Sam Lee"] : ["client", "Dana Ortiz"];
  await base.db.run(sql`INSERT INTO ticket_messages(id, organization_id, ticket_id, author_name, side, is_internal, message,
      created_at, updated_at)
    SELECT ${base.newId("msg")}, organization_id, id, ${author}, ${side}, ${isInternal}, ${message}, ${base.now()}, ${base.now()}
    FROM support_tickets WHERE id = ${ticketId}`);
}

beforeAll(async () => {
  world = await ticketWorld();
  const { base, here, there, dana, omar, ivy } = world;
  shared = await makeTicket(base, { organizationId: here.id, createdBy: dana, title: "Printer offline" });
  hidden = await makeTicket(base, { organizationId: here.id, createdBy: omar, title: "Salary list", isPrivate: true });
  foreign = await makeTicket(base, {
    organizationId: there.id,
    organizationName: "Brightsmile",
    createdBy: ivy,
    title: "Printer of the neighbours",
  });
  await write(shared.id, "The toner <script>alert(1)</script> is empty in the Köln office");
  await write(shared.id, "They have not paid for toner since May", true);
  await write(hidden.id, "Salaries and toner");
  await write(foreign.id, "Our toner is secret");
  await makeSubmission(base, { firstName: "Tonya", lastName: "Toner", email: "tonya@maple.example" });
  await makePerson(base, { fullName: "Anton Toner", email: "anton@maple.example" });
});

const zone = "UTC";
const asClient = (
  person: Person,
  text: string,
  role: "member" | "admin" = "member",
  visibility: "all" | "own" = "all",
) => {
  const actor = memberOf(world.base, person, world.here, role);
  const viewer = { actor: { ...actor, membership: { ...actor.membership, visibility } }, zone, now: world.base.now() };
  return searchForClient(world.base, viewer, text);
};
const asStaff = (person: Person, text: string) =>
  searchForStaff(world.base, { actor: world.staff(person).actor, zone, now: world.base.now() }, text);

/** Returns what was found, as people read it. */
const read = (groups: readonly HitGroup[]) =>
  groups.flatMap(({ id, hits }) =>
    hits.map(({ title, reason, excerpt }) =>
      [id, title.map(({ text }) => text).join(""), reason, excerpt?.map(({ text }) => text).join("")]
        .filter(Boolean)
        .join(" | "),
    ),
  );

test("a client finds what was written on tickets they see, and neither notes nor private or foreign tickets", async () => {
  expect(read(await asClient(world.dana, "toner"))).toEqual([
    "messages | Printer offline | in a reply of | The toner <script>alert(1)</script> is empty in the Köln office",
  ]);
  expect(read(await asClient(world.dana, "printer"))).toEqual(["tickets | Printer offline"]);
  for (const text of ["salaries", "salary", "neighbours", "secret", "paid", "Brightsmile", "since May"]) {
    const groups = await asClient(world.dana, text);
    expect(
      groups.map(({ hits, total }) => [hits.length, total.count]),
      text,
    ).toEqual([
      [0, 0],
      [0, 0],
    ]);
  }
});

test("whose private ticket it is and admins of the organization find it; a member limited to their own finds no more", async () => {
  expect(read(await asClient(world.omar, "salar"))).toHaveLength(2);
  expect(read(await asClient(world.dana, "salar", "admin"))).toHaveLength(2);
  const { base, here } = world;
  await base.db.update(organizations).set({ visibility: "own" }).where(eq(organizations.id, here.id));
  expect(read(await asClient(world.omar, "toner", "member", "own"))).toEqual([
    "messages | Salary list | in a reply of | Salaries and toner",
  ]);
  expect(read(await asClient(world.omar, "printer", "member", "own"))).toEqual([]);
  await base.db.update(organizations).set({ visibility: "all" }).where(eq(organizations.id, here.id));
});

test("staff find messages and notes of all tickets, submissions and people, and why; a technician no accounts", async () => {
  const found = read(await asStaff(world.avery, "toner"));
  expect(found).toContain(
    "messages | Printer offline | in an internal note of | They have not paid for toner since May",
  );
  expect(found).toContain("submissions | Tonya Toner");
  expect(found).toContain("people | Anton Toner | anton@maple.example");
  expect(found.filter((line) => line.startsWith("messages"))).toHaveLength(4);
  expect(read(await asStaff(world.sam, "anton@maple"))).toEqual([]);
  expect(read(await asStaff(world.sam, "koln off"))).toHaveLength(1);
});

test("staff find people without an account by name and address, on the page of their organization; clients find none", async () => {
  const { base, here, there, dana, ivy, sam, avery } = world;
  const lee = { email: "lee@larkspur.example", fullName: "Léa Marshfield", phone: "+1 555 0100" };
  await commit(base.db, [saveContact(base, here.id, lee), saveContact(base, there.id, lee)]);
  for (const text of ["lea marsh", "LEE@larkspur", "shfie"]) {
    for (const person of [sam, avery]) {
      const hits = (await asStaff(person, text)).flatMap((group) => group.hits);
      expect(hits, text).toMatchObject([
        { to: `/admin/organizations/${there.id}#contacts`, details: ["No account", "Brightsmile", "+1 555 0100"] },
        { to: `/admin/organizations/${here.id}#contacts`, details: ["No account", "Larkspur Row", "+1 555 0100"] },
      ]);
    }
    expect(read(await asClient(dana, text, "admin"))).toEqual([]);
    const viewer = { actor: memberOf(base, ivy, there, "owner"), zone, now: base.now() };
    expect(read(await searchForClient(base, viewer, text))).toEqual([]);
  }
});

test("staff read the phone number of whom they find, of an account and of a member", async () => {
  const { base, dana, sam, avery } = world;
  await base.db.update(users).set({ phone: "+1 555 0161" }).where(eq(users.id, dana.id));
  const last = async (person: Person) =>
    (await asStaff(person, "dana ortiz")).find(({ id }) => id === "people")?.hits.map((hit) => hit.details.at(-1));
  expect(await last(avery)).toEqual(["+1 555 0161"]);
  expect(await last(sam)).toEqual(["+1 555 0161"]);
});

test("a person without an account is found by the name of today, and no more once they join or are erased", async () => {
  const { base, here, avery } = world;
  const found = async (text: string) => read(await asStaff(avery, text)).filter((line) => line.startsWith("contacts"));
  const kim = { email: "kim@quince.example", fullName: "Kim Hollowell", phone: "" };
  const ada = { email: "ada@quince.example", fullName: "Ada Hollowell", phone: "" };
  await commit(base.db, [saveContact(base, here.id, kim), saveContact(base, here.id, ada)]);
  expect(await found("hollowell")).toHaveLength(2);
  await commit(base.db, [saveContact(base, here.id, { ...kim, fullName: "Kim Winterbourne" })]);
  expect(await found("hollowell")).toEqual(["contacts | Ada Hollowell | ada@quince.example"]);
  expect(await found("winterbourne")).toHaveLength(1);
  await makeMember(base, here.id, await makePerson(base, { email: kim.email }), "member");
  expect(await found("kim@quince")).toEqual([]);
  const [contact] = await base.db.select().from(contacts).where(eq(contacts.email, ada.email));
  const { ctx, actor } = world.staff(avery);
  expect(await erasePerson(ctx, actor, { personId: contact?.id ?? "", nonce: crypto.randomUUID() })).toEqual(ok(null));
  await base.settle();
  expect(await found("hollowell")).toEqual([]);
  expect(await found("erased.invalid")).toEqual([]);
});

test("however many people without an account have a name, a search reads the newest", async () => {
  const { base, here, avery } = world;
  const many = Array.from({ length: 300 }, (_, index) => ({
    id: `con_many${index}`,
    email: `many${index}@birch.example`,
  }));
  await base.db.run(sql`INSERT INTO contacts(id, organization_id, email, full_name, search_name, created_at)
    SELECT value ->> 'id', ${here.id}, value ->> 'email', 'Robin Many', 'robin many', 0
    FROM json_each(${JSON.stringify(many)})`);
  const { context } = recordedContext();
  expect(await findContacts(context.db, "Robin Many", 26)).toHaveLength(26);
  expect(context.cost.rowsRead).toBeLessThan(26 * 6);
  const [group] = (await asStaff(avery, "robin many")).filter(({ id }) => id === "contacts");
  expect(group).toMatchObject({ total: { count: 25, more: "certainly" } });
});

test("a number opens its ticket or submission for those who may see it, and is nothing for others", async () => {
  const { base, avery, dana, omar, here } = world;
  const staff = world.staff(avery).actor;
  const own = (person: Person, text: string) =>
    findOwnByNumber(base.db, viewerOf(memberOf(base, person, here, "member")), text);
  expect(await findByNumber(base.db, staff, ` t-${foreign.number} `)).toBe(`/admin/tickets/T-${foreign.number}`);
  const submission = await makeSubmission(base);
  expect(await findByNumber(base.db, staff, `L-${submission.number}`)).toBe(`/admin/submissions/${submission.id}`);
  expect(await findByNumber(base.db, staff, "T-999999999")).toBeNull();
  expect(await own(omar, `T-${hidden.number}`)).toBe(`/client/tickets/T-${hidden.number}`);
  for (const text of [`T-${hidden.number}`, `T-${foreign.number}`, `L-${submission.number}`]) {
    expect(await own(dana, text), text).toBeNull();
  }
});

test("the words of a ticket go where it goes, and leave the index with it", async () => {
  const { base, here, there, dana, ivy, sam, staff } = world;
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana, title: "Moving" });
  await write(ticket.id, "Wanderfalke was here");
  expect(read(await asClient(dana, "wanderfalke"))).toHaveLength(1);
  await staff(sam).moveTo(ticket.id, there.id);
  expect(read(await asClient(dana, "wanderfalke", "admin"))).toEqual([]);
  const neighbour = memberOf(base, ivy, there, "owner");
  const viewer = { actor: neighbour, zone, now: base.now() };
  expect(read(await searchForClient(base, viewer, "wanderfalke"))).toHaveLength(1);
  await base.db.delete(tickets).where(eq(tickets.id, ticket.id));
  expect(read(await asStaff(sam, "wanderfalke"))).toEqual([]);
});

test("a search takes two round trips, whoever searches, and any text is answered", async () => {
  const { context } = recordedContext();
  await searchForStaff(context, { actor: world.staff(world.avery).actor, zone, now: context.now() }, "blinks");
  expect(context.cost.trips).toBeLessThanOrEqual(2);
  for (const text of [
    '"',
    "'; DROP TABLE users",
    "AND OR NOT",
    "a*b^c",
    "\\",
    "%%%",
    "日本語",
    "💥💥💥",
    "x".repeat(200),
  ]) {
    expect(Array.isArray(await asStaff(world.avery, text)), text).toBe(true);
  }
});
