import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { letters } from "~/db/schema/letters";
import { contacts, organizationDomains } from "~/db/schema/organizations";
import { measureTickets } from "~/features/analytics/measure-tickets.server";
import { EVERYTHING } from "~/features/archives/model";
import { draftLetters } from "~/features/letters/draft-letters.server";
import { erasePerson, eraseRestOfPeople } from "~/features/privacy/erase-person.server";
import { ok } from "~/lib/errors";
import { loader as staffFile } from "~/routes/_admin.admin.exports.$file";
import { loader as letterFile } from "~/routes/_admin.admin.exports.letter[.]pdf";
import { loader as personFile } from "~/routes/_admin.admin.exports.person[.]zip";
import { loader as organizationPage } from "~/routes/_admin.admin.organizations.$organizationId";
import { loader as search } from "~/routes/_admin.admin.search";
import { loader as ticketList } from "~/routes/_admin.admin.tickets._index";
import { loader as ticketPage } from "~/routes/_admin.admin.tickets.$ticket";
import { loader as clientFile } from "~/routes/_portal.client.exports.$file";
import { loader as clientList } from "~/routes/_portal.client.tickets._index";
import { loader as clientPage } from "~/routes/_portal.client.tickets.$ticket";
import { openedArchive } from "../support/archives";
import type { TestContext } from "../support/context";
import { tellingWorld } from "../support/counted-tickets";
import { as, makeMember, makePerson, memberOf } from "../support/factories";
import { mailIn } from "../support/inbound-mail";
import { pdfText } from "../support/pdf-text";
import { args, get } from "../support/requests";
import { ticketRow } from "../support/tickets";
import { unzip } from "../support/unzip";

const LEE = { name: "Lee Marsh", email: "lee@row-of-lee.example" };
const EIGHT_OF_DECEMBER = Date.parse("2026-12-01T14:00:00Z");

let world: Awaited<ReturnType<typeof tellingWorld>>;
let staff: TestContext;
let owner: TestContext;
let ticket: Awaited<ReturnType<typeof ticketRow>>;
let letterId: string;

/** Lee writes for the first time, is answered after an hour, and it is resolved. */
beforeAll(async () => {
  world = await tellingWorld();
  const { base, here } = world;
  const olive = await makePerson(base, { fullName: "Olive Park" });
  await makeMember(base, here.id, olive, "owner");
  await base.db.insert(organizationDomains).values({
    ...{ domain: "row-of-lee.example", organization_id: here.id, created_at: 0 },
  });
  world.set("18 09:00");
  const mail = await mailIn(base, {
    from: `"${LEE.name}" <${LEE.email}>`,
    subject: "Scanner jams",
    text: "Since noon.",
  });
  expect(mail).toMatchObject({ state: "processed", effect: "opened" });
  const ticketId = mail.ticket_id ?? "";
  await world.replies("18 10:00", ticketId);
  await world.resolves("18 11:00", ticketId);
  await measureTickets(base);
  await base.db.run(sql`UPDATE organizations SET plan = 'core' WHERE id = ${here.id}`);
  base.clock.set(EIGHT_OF_DECEMBER);
  await draftLetters(base);
  ticket = await ticketRow(base, ticketId);
  letterId = (await base.db.select().from(letters).where(eq(letters.organization_id, here.id)))[0]?.id ?? "";
  staff = as(base, world.avery);
  owner = { ...as(base, olive), signedIn: memberOf(base, olive, here, "owner") } as TestContext;
});

const json = async (response: Response | Promise<Response>) => JSON.stringify(await (await response).json());
const archived = async (organizationId: string) => {
  const { actor } = world.staff(world.avery);
  return [...(await openedArchive(staff, actor, { organizationId, isInternal: true })).values()].join("\n");
};
const ref = () => ({ ticket: `T-${ticket.number}` });

/** Everything that shows a ticket or a person, as text. */
const VIEWS: Record<string, () => Promise<string>> = {
  "list of staff": () => json(ticketList(args(staff, get("/admin/tickets?q=scanner"), {})) as Promise<Response>),
  "ticket of staff": () => json(ticketPage(args(staff, get("/admin/tickets/x"), ref())) as Promise<Response>),
  "list of clients": () => json(clientList(args(owner, get("/client/tickets?tab=all"))) as Promise<Response>),
  "ticket of clients": () => json(clientPage(args(owner, get("/client/tickets/x"), ref())) as Promise<Response>),
  organization: () =>
    json(
      organizationPage(
        args(staff, get("/admin/organizations/x"), { organizationId: world.here.id }),
      ) as unknown as Promise<Response>,
    ),
  search: () => json(search(args(staff, get("/admin/search?q=lee+marsh"), {})) as Promise<Response>),
  "file of staff": async () => {
    const response = await staffFile(
      args(staff, get("/admin/exports/tickets.csv?sort=newest"), { file: "tickets.csv" }),
    );
    return response.text();
  },
  "file of clients": async () => {
    const response = await clientFile(args(owner, get("/client/exports/tickets.csv"), { file: "tickets.csv" }));
    return response.text();
  },
  "archive of the organization": () => archived(world.here.id),
  "archive of everything": () => archived(EVERYTHING),
};

test("whoever has no account is named wherever their ticket is shown, and known by address where people are", async () => {
  for (const [view, read] of Object.entries(VIEWS))
    expect([view, await read()]).toEqual([view, expect.stringContaining(LEE.name)]);
  for (const view of ["search", "ticket of staff", "archive of everything"])
    expect([view, await VIEWS[view]?.()]).toEqual([view, expect.stringContaining(LEE.email)]);
  expect(await VIEWS["list of clients"]?.()).toContain("Scanner jams");
});

test("their ticket counts like any other in analytics and in the letter, and they count nowhere as a member", async () => {
  const { base, here } = world;
  const measured = await base.db.all<{ kind: string }>(
    sql`SELECT kind FROM ticket_metrics WHERE ticket_id = ${ticket.id} ORDER BY kind`,
  );
  expect(measured.map(({ kind }) => kind)).toEqual(["answered", "created", "kept", "resolved"]);
  const file = await letterFile(args(staff, get(`/admin/exports/letter.pdf?letter=${letterId}`)));
  const paper = (await pdfText(new Uint8Array(await file.arrayBuffer()))).flat().join(" ");
  expect(paper).toMatch(/1 ticket|one ticket|one request|1 request/i);
  // The letter goes to whoever manages the organization, and names nobody.
  expect(paper).not.toContain(LEE.name);
  const [counted] = await base.db.all(sql`SELECT all_members AS members, active_members AS active,
    (SELECT count(*) FROM users WHERE email = ${LEE.email}) AS accounts,
    (SELECT count(*) FROM organization_memberships WHERE organization_id = ${here.id}) AS memberships
    FROM organizations WHERE id = ${here.id}`);
  expect(counted).toEqual({ members: 3, active: 3, accounts: 0, memberships: 3 });
});

test("they get all of theirs in a file, and once they are erased nothing that shows their ticket says who they were", async () => {
  const { base, avery } = world;
  const [lee] = await base.db.select().from(contacts).where(eq(contacts.email, LEE.email));
  const own = (await personFile(args(staff, get(`/admin/exports/person.zip?person=${lee?.id}`), {}))) as Response;
  const sent = [...unzip(new Uint8Array(await own.arrayBuffer())).values()].join("\n");
  for (const words of [LEE.email, LEE.name, "Scanner jams", "Since noon."]) expect(sent).toContain(words);
  const { ctx, actor } = world.staff(avery);
  expect(await erasePerson(ctx, actor, { personId: lee?.id ?? "", nonce: "erase" })).toEqual(ok(null));
  await base.settle();
  for (let run = 0; run < 3; run += 1) await eraseRestOfPeople(base);
  for (const [view, read] of Object.entries(VIEWS)) {
    const shown = await read();
    expect([view, shown.includes(LEE.name), shown.includes(LEE.email)]).toEqual([view, false, false]);
  }
  // What they asked stays, under nobody's name.
  expect(await VIEWS["list of staff"]?.()).toContain("Scanner jams");
  expect(await ticketRow(base, ticket.id)).toMatchObject({ creator_name: "Former member", contact_id: null });
});
