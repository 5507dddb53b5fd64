import { expect, test } from "vitest";
import * as route from "~/routes/_admin.admin.tickets.new";
import { makeInvitedMember, makeOrganization, makeSubmission } from "../support/factories";
import { pageAt } from "../support/page";
import { ticketRow, ticketWorld } from "../support/tickets";

const FIELDS = { title: "New laptop", description: "Dana called: hers is broken.", priority: "high", category: "" };

async function opening() {
  const world = await ticketWorld();
  const { ctx } = world.staff(world.sam);
  const page = pageAt("/admin/tickets/new", route);
  const read = (query: string) => page.read(ctx, `/admin/tickets/new${query}`);
  const send = (fields: Record<string, string>) =>
    page.send(ctx, "/admin/tickets/new", "ticket-new-for-client", {
      ...FIELDS,
      organization_id: world.here.id,
      ...fields,
    });
  /** Sends what is refused: it comes back as typed, with the fields that say why. */
  const errorsOf = async (fields: Record<string, string>) => {
    const response = await send(fields);
    const { errors, values } = (await response.json()) as { errors: object; values: object };
    expect([response.status, values]).toMatchObject([400, { ...FIELDS, ...fields }]);
    return Object.keys(errors);
  };
  return { ...world, read, send, errorsOf };
}

test("the people of an organization are offered once it was chosen, and only its own", async () => {
  const { here, read } = await opening();
  expect((await read("")).people).toBeNull();
  expect((await read("?organization=org_missing")).people).toBeNull();
  const { people, organization } = await read(`?organization=${here.id}`);
  expect([organization?.id, people?.map(({ name }) => name)]).toEqual([here.id, ["Dana Ortiz", "Omar Reyes"]]);
});

test("where nobody has an account, the page knows whether somebody was invited", async () => {
  const { base, read } = await opening();
  const { id } = await makeOrganization(base, "Unpeopled Works");
  const page = async () => {
    const { people, isInvited } = await read(`?organization=${id}`);
    return [people, isInvited];
  };
  expect(await page()).toEqual([[], false]);
  await makeInvitedMember(base, id, { email: "owner@unpeopled.example" });
  expect(await page()).toEqual([[], true]);
});

test("any organization is found by a part of its name, however many come before it", async () => {
  const { base, here, read } = await opening();
  for (let index = 0; index < 16; index += 1) await makeOrganization(base, `Aardvark ${index}`);
  const name = 'Zephyr "Dental" Row';
  const last = await makeOrganization(base, name);
  const names = ({ organizations }: Awaited<ReturnType<typeof read>>) => organizations.map((one) => one.name);
  expect(names(await read(""))).not.toContain(name);
  for (const find of ["zephyr", "DENTAL", "z", '"dental"'])
    expect(names(await read(`?find=${encodeURIComponent(find)}`)), find).toEqual([name]);
  expect(names(await read(`?find=nobody&organization=${here.id}`))).toEqual(["Larkspur Row"]);
  expect((await read(`?find=zephyr&organization=${last.id}`)).organization).toEqual({ id: last.id, name });
});

test("opened from a submission, the page has its number, its words and who sent it, and the form keeps it", async () => {
  const { base, here, dana, read } = await opening();
  const { id } = await makeSubmission(base, { email: dana.email });
  const { submission, people, path } = await read(`?organization=${here.id}&submission=${id}`);
  expect(submission).toMatchObject({ id, email: dana.email, message: "Eleven laptops and a slow lab." });
  expect(submission?.number).toMatch(/^L-\d+$/);
  expect(people?.map(({ email }) => email)).toContain(dana.email);
  expect(path).toBe(`/admin/tickets/new?organization=${here.id}&submission=${id}`);
});

test("the member who sent the submission comes before those whose names do", async () => {
  const { base, here, omar, read } = await opening();
  const id = (await makeSubmission(base, { email: omar.email })).id;
  const names = async (query: string) => (await read(query)).people?.map(({ name }) => name);
  expect(await names(`?organization=${here.id}&submission=${id}`)).toEqual(["Omar Reyes", "Dana Ortiz"]);
  const stranger = await makeSubmission(base, { email: "stranger@visitor.example" });
  expect(await names(`?organization=${here.id}&submission=${stranger.id}`)).toEqual(["Dana Ortiz", "Omar Reyes"]);
});

test("an address that names no submission opens the empty form", async () => {
  const { here, read } = await opening();
  for (const id of ["sub_missing", "L-1001", "' or 1=1 --"]) {
    const { submission, path } = await read(`?organization=${here.id}&submission=${encodeURIComponent(id)}`);
    expect([submission, path], id).toEqual([null, `/admin/tickets/new?organization=${here.id}`]);
  }
});

test("a submission that is held for review begins no ticket: the form is empty, says so and leads to it", async () => {
  const { base, here, dana, omar, read } = await opening();
  const { id } = await makeSubmission(base, { email: omar.email, moderationReason: "content" });
  const { submission, inModeration, people, path } = await read(`?organization=${here.id}&submission=${id}`);
  expect([submission, path]).toEqual([null, `/admin/tickets/new?organization=${here.id}`]);
  expect(inModeration).toMatchObject({ path: `/admin/submissions/${id}`, reason: "looks like advertising" });
  expect(inModeration?.number).toMatch(/^L-\d+$/);
  expect(people?.map(({ name }) => name)).toEqual([dana.fullName, omar.fullName]);
  const released = await makeSubmission(base, { email: dana.email });
  expect((await read(`?organization=${here.id}&submission=${released.id}`)).inModeration).toBeNull();
});

test("staff open a ticket for a client, who owns it", async () => {
  const { base, dana, sam, send } = await opening();
  const response = await send({ person: dana.id });
  expect(response.status).toBe(303);
  const [, number] = /^\/admin\/tickets\/T-(\d+)$/.exec(response.headers.get("Location") ?? "") ?? [];
  const [row] = await base.db.all<{ id: string }>(`SELECT id FROM support_tickets WHERE number = ${number}`);
  expect(await ticketRow(base, row?.id ?? "")).toMatchObject({
    created_by: dana.id,
    opened_by: sam.id,
    title: "New laptop",
  });
});

test("a person of another organization, and an urgent ticket that does not say what is wrong, come back as typed", async () => {
  const { ivy, dana, errorsOf } = await opening();
  expect(await errorsOf({ person: ivy.id })).toEqual(["person"]);
  expect(await errorsOf({})).toEqual(["person"]);
  expect(await errorsOf({ person: dana.id, priority: "urgent" })).toEqual(["impact"]);
  // What is missing is said at once, in the order of the fields.
  expect(await errorsOf({ title: "", description: "" })).toEqual(["person", "title", "description"]);
});

test("staff open a ticket for somebody without an account, who is offered from then on", async () => {
  const { base, here, read, send } = await opening();
  const lee = { requester_name: " Lee  Marsh ", requester_email: "LEE@larkspur.example", requester_phone: "555 0100" };
  const response = await send(lee);
  const [, number] = /^\/admin\/tickets\/T-(\d+)$/.exec(response.headers.get("Location") ?? "") ?? [];
  const [row] = await base.db.all(`SELECT creator_name, created_by, c.email, c.phone FROM support_tickets t
    JOIN contacts c ON c.id = t.contact_id WHERE t.number = ${number}`);
  expect(row).toEqual({
    ...{ creator_name: "Lee Marsh", created_by: null, email: "lee@larkspur.example", phone: "555 0100" },
  });
  const { contacts } = await read(`?organization=${here.id}`);
  expect(contacts).toMatchObject([{ name: "Lee Marsh", email: "lee@larkspur.example" }]);
  expect((await send({ person: contacts[0]?.id ?? "" })).status).toBe(303);
});

test("somebody who is typed needs a name and an address that a person reads, and is not typed beside a chosen one", async () => {
  const { base, dana, sam, errorsOf } = await opening();
  const name = { requester_name: "Lee Marsh" };
  expect(await errorsOf(name)).toEqual(["requester_email"]);
  expect(await errorsOf({ requester_email: "lee@larkspur.example" })).toEqual(["requester_name"]);
  for (const requester_email of ["lee", "a@b.example, c@d.example", "mailer-daemon@larkspur.example", sam.email])
    expect(await errorsOf({ ...name, requester_email }), requester_email).toEqual(["requester_email"]);
  const [sender] = /[^<\s]+@[^>\s]+/.exec(base.config.MAIL_FROM) ?? [];
  expect(await errorsOf({ ...name, requester_email: sender ?? "" })).toEqual(["requester_email"]);
  expect(await errorsOf({ ...name, person: dana.id })).toEqual(["person"]);
  expect(await base.db.all("SELECT 1 FROM contacts WHERE full_name = 'Lee Marsh' AND email NOT LIKE 'lee@%'")).toEqual(
    [],
  );
});
