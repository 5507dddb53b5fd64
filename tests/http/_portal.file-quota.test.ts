import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { commit } from "~/db/client.server";
import { organizations } from "~/db/schema/organizations";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { settings } from "~/db/schema/site";
import { ticketCounts, ticketMessages, tickets } from "~/db/schema/tickets";
import { attachFile } from "~/features/attachments/store-attachment.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { NEW_TICKET_PURPOSE } from "~/features/portal/new-ticket.server";
import { REPLY_PURPOSE } from "~/features/tickets/client-record/actions.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { undoReply } from "~/features/tickets/undo-reply.server";
import { days, hours } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action as staffAction, loader as staffPage } from "~/routes/_admin.admin.tickets.$ticket";
import { action as ticketAction, loader as ticketPage } from "~/routes/_portal.client.tickets.$ticket";
import { action as newTicketAction, loader as newTicketPage } from "~/routes/_portal.client.tickets.new";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { bindings, type TestContext } from "../support/context";
import { pdf } from "../support/documents";
import { as, makePerson, type Person, signedInAs } from "../support/factories";
import { args, get, thrownBy } from "../support/requests";
import { storeFile } from "../support/stored-files";
import { makeTicket } from "../support/tickets";

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

let team: ClientTeam;
let ticket: { id: string; number: number };
beforeEach(async () => {
  team = await clientTeam();
  ticket = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
  await team.ctx.db.delete(settings).where(eq(settings.key, "fileQuotaGb"));
});

/** Returns a PDF file of a size. */
const fileOf = (size: number): File => new File([pdf("x".repeat(size - 9))], "plan.pdf");

type Posted = { number?: number; intent?: string; organizationId?: string };

function reply(
  ctx: TestContext,
  files: File[],
  { number = ticket.number, intent = "reply", organizationId = team.organization.id }: Posted = {},
) {
  const body = new FormData();
  body.append("form_token", issueFormToken(ctx, REPLY_PURPOSE));
  body.append("organization_id", organizationId);
  body.append("intent", intent);
  body.append("body", "See the file.");
  for (const file of files) body.append("files", file);
  const ref = `T-${number}`;
  const request = new Request(`http://localhost:8787/client/tickets/${ref}`, { method: "POST", body });
  return ticketAction(args(ctx, request, { ticket: ref }));
}

function replyOfStaff(ctx: TestContext, files: File[], intent = "reply") {
  const body = new FormData();
  body.append("form_token", issueFormToken(ctx, intent === "note" ? "ticket-note" : "ticket-reply"));
  body.append("intent", intent);
  body.append("body", "Here you are.");
  body.append("begun_at_message", "0");
  for (const file of files) body.append("files", file);
  const ref = `T-${ticket.number}`;
  const request = new Request(`http://localhost:8787/admin/tickets/${ref}`, { method: "POST", body });
  return staffAction(args(ctx, request, { ticket: ref }));
}

const sentBy = async (person: Person): Promise<number> => {
  const rows = await team.ctx.db
    .select()
    .from(rateLimitAttempts)
    .where(eq(rateLimitAttempts.attempt_type, "file_bytes_user"));
  return rows.find(({ identifier }) => identifier.startsWith(`${person.id}:`))?.attempts ?? 0;
};

/** Says that a person has sent so much today. */
const haveSent = (person: Person, bytes: number) =>
  team.ctx.db.insert(rateLimitAttempts).values({
    attempt_type: "file_bytes_user",
    identifier: `${person.id}:${Math.floor(team.ctx.now() / days(1))}`,
    attempts: bytes,
    last_attempt_at: team.ctx.now(),
  });

const storedOf = async (organizationId = team.organization.id): Promise<number> =>
  (await team.ctx.db.select().from(ticketCounts).where(eq(ticketCounts.organization_id, organizationId)))[0]
    ?.file_bytes ?? 0;
/** Says that the files of the organization take so much. */
const haveStored = (bytes: number) =>
  team.ctx.db
    .update(ticketCounts)
    .set({ file_bytes: bytes })
    .where(eq(ticketCounts.organization_id, team.organization.id));

const filesInStore = async () => (await bindings.FILES.list()).objects.length;
const messages = () => team.ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id));

const errorsOf = async (response: Response) =>
  [response.status, ((await response.json()) as { errors: Record<string, string> }).errors] as const;

const staffContext = async () => {
  const person = await makePerson(team.ctx, { role: "moderator" });
  return { person, ctx: as(team.ctx, person) };
};

test("who has sent 500 MB today sends no more, and no byte of it is stored; their colleague and tomorrow are free", async () => {
  await haveSent(team.member, 500 * MIB);
  const before = await filesInStore();
  const ctx = await team.requestOf(team.member);
  const [status, errors] = await errorsOf(await reply(ctx, [fileOf(2_000)]));
  expect([status, errors.files]).toEqual([
    400,
    "You have sent 500.0 MB of files today, of 500.0 MB a day, so these do not fit. There is room again in 9 hours; your text can go without them.",
  ]);
  expect([await filesInStore(), await messages(), await sentBy(team.member)]).toEqual([before, [], 500 * MIB]);
  expect((await reply(ctx, [])).status).toBe(303);
  expect((await reply(await team.requestOf(team.owner), [fileOf(2_000)])).status).toBe(303);
  team.ctx.clock.advance(hours(9));
  expect((await reply(await team.requestOf(team.member), [fileOf(2_000)])).status).toBe(303);
});

test("what arrives beyond the room that is left is not kept, also of a file that had begun", async () => {
  await haveSent(team.member, 500 * MIB - 5_000);
  const before = await filesInStore();
  const ctx = await team.requestOf(team.member);
  const [status, errors] = await errorsOf(await reply(ctx, [fileOf(3_000), fileOf(3_000)]));
  await ctx.settle();
  expect([status, errors.files, await filesInStore()]).toEqual([400, expect.stringContaining("do not fit"), before]);
  expect((await reply(ctx, [fileOf(5_000)])).status).toBe(303);
  expect(await sentBy(team.member)).toBe(500 * MIB);
});

/** Opens a ticket for each: replies to one ticket wait for each other. */
const ticketsFor = <Each>(each: readonly Each[]) =>
  Promise.all(
    each.map(async (item) => {
      const { id: organizationId } = team.organization;
      return [item, await makeTicket(team.ctx, { organizationId, createdBy: team.owner })] as const;
    }),
  );

test("of replies at the same moment only as many are written as there is room for", async () => {
  await haveSent(team.member, 500 * MIB - 5_000);
  const before = await filesInStore();
  const ctx = await team.requestOf(team.member);
  const opened = await ticketsFor([1, 2, 3, 4]);
  const answers = await Promise.all(opened.map(([_, each]) => reply(ctx, [fileOf(3_000)], each)));
  await ctx.settle();
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 429, 429, 429]);
  expect(await filesInStore()).toBe(before + 1);
  expect([await sentBy(team.member), await storedOf()]).toEqual([500 * MIB - 2_000, 3_000]);
});

test.each([
  ["that no form sends", "everything", 400],
  ["that is left empty", "", 400],
  ["that takes no files, and fails", "add", 400],
  ["that takes no files, and works", "broken", 303],
])("the files of a post with an intent %s are deleted", async (_, intent, status) => {
  const before = await filesInStore();
  const ctx = await team.requestOf(team.member);
  const answer = await reply(ctx, [fileOf(3_000), fileOf(3_000)], { intent }).catch((thrown: Response) => thrown);
  expect(answer.status).toBe(status);
  await ctx.settle();
  expect(await filesInStore()).toBe(before);
});

test("the files of a post for another organization than the person works in are deleted", async () => {
  const before = await filesInStore();
  const ctx = await team.requestOf(team.member);
  const refused = await thrownBy(reply(ctx, [fileOf(3_000)], { organizationId: team.other.id }));
  await ctx.settle();
  expect([refused.status, await filesInStore()]).toEqual([409, before]);
});

test("of people of an organization at the same moment only as many add files as it has room for", async () => {
  await haveStored(5 * GIB - 5_000);
  const opened = await ticketsFor([team.owner, team.lead, team.owner]);
  const contexts = await Promise.all(opened.map(([person]) => team.requestOf(person)));
  const answers = await Promise.all(contexts.map((ctx, index) => reply(ctx, [fileOf(3_000)], opened[index]?.[1])));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 429, 429]);
  expect(await storedOf()).toBe(5 * GIB - 2_000);
});

test("a client of an organization that nobody has reviewed sends 50 MB a day", async () => {
  await team.ctx.db
    .update(organizations)
    .set({ needs_review_at: team.ctx.now() })
    .where(eq(organizations.id, team.organization.id));
  await haveSent(team.member, 50 * MIB - 1_000);
  const ctx = await team.requestOf(team.member);
  const [status, errors] = await errorsOf(await reply(ctx, [fileOf(2_000)]));
  expect([status, errors.files]).toEqual([
    400,
    "You have sent 50.0 MB of files today, of 50.0 MB a day until we have reviewed your organization, so these do not fit. There is room again in 9 hours; your text can go without them.",
  ]);
  await team.ctx.db
    .update(organizations)
    .set({ needs_review_at: null })
    .where(eq(organizations.id, team.organization.id));
  expect((await reply(ctx, [fileOf(2_000)])).status).toBe(303);
});

test("the files of a new ticket count, for the organization that is chosen, and a full one takes none", async () => {
  await haveStored(5 * GIB);
  const ctx = await team.requestOf(team.member);
  const open = (files: File[]) => {
    const body = new FormData();
    const fields = { organization_id: team.organization.id, title: "Fax", description: "It hums.", priority: "low" };
    body.append("form_token", issueFormToken(ctx, NEW_TICKET_PURPOSE));
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    for (const file of files) body.append("files", file);
    return newTicketAction(
      args(ctx, new Request("http://localhost:8787/client/tickets/new", { method: "POST", body })),
    );
  };
  const [status, errors] = await errorsOf(await open([fileOf(2_000)]));
  expect([status, errors.files]).toEqual([
    400,
    "Your organization's files take 5.0 GB of its 5.0 GB, so these do not fit. Your text can go without them; ask us for more room.",
  ]);
  const { room } = (await (await newTicketPage(args(ctx, get("/client/tickets/new")))).json()) as { room: string };
  expect(room).toBe("Your organization's files take 5.0 GB of its 5.0 GB: no room is left.");
  await team.ctx.db.insert(settings).values({
    key: "fileQuotaGb",
    value_json: "6",
    version: 1,
    updated_at: team.ctx.now(),
  });
  expect((await open([fileOf(2_000)])).status).toBe(303);
  expect(await storedOf()).toBe(5 * GIB + 2_000);
});

test("staff meet the quota too, with replies and notes, and read who can raise it; a reply without files goes", async () => {
  await haveStored(5 * GIB - 1_000);
  const { ctx } = await staffContext();
  const before = await filesInStore();
  for (const intent of ["reply", "note"]) {
    const [status, errors] = await errorsOf(await replyOfStaff(ctx, [fileOf(2_000)], intent));
    expect([status, errors.form]).toEqual([
      429,
      "This organization's files take 5.0 GB of its 5.0 GB, so these do not fit. Your text can go without them; an administrator can give more room in the settings.",
    ]);
  }
  await ctx.settle();
  expect([await filesInStore(), await messages()]).toEqual([before, []]);
  expect((await replyOfStaff(ctx, [])).status).toBe(303);
});

test("the pages of a ticket say when room is getting short, and nothing before", async () => {
  const ref = `T-${ticket.number}`;
  const { ctx: staff } = await staffContext();
  const roomOf = async (response: Response) => ((await response.json()) as { room: string | null }).room;
  const both = async () => [
    await roomOf(
      await ticketPage(args(await team.requestOf(team.member), get(`/client/tickets/${ref}`), { ticket: ref })),
    ),
    await roomOf(await staffPage(args(staff, get(`/admin/tickets/${ref}`), { ticket: ref }))),
  ];
  expect(await both()).toEqual([null, null]);
  await haveStored(4.2 * GIB);
  await haveSent(team.member, 450 * MIB);
  expect(await both()).toEqual([
    "You have sent 450.0 MB of files today: 50.0 MB are left, and all of 500.0 MB again in 9 hours.",
    "This organization's files take 4.2 GB of its 5.0 GB: 819.2 MB are left.",
  ]);
});

test("what is taken back leaves the store at once and counts as sent; a ticket takes its files along to another organization", async () => {
  const { person, ctx } = await staffContext();
  const actor = signedInAs(person, ctx.now()) as StaffActor;
  const stored = await storeFile(ctx, { name: "plan.pdf", kind: "pdf", bytes: pdf() });
  const { size } = stored;
  const sent = { ticketId: ticket.id, text: "See.", effect: "send", baseMessage: 0, files: [stored] } as const;
  const replied = await replyAsStaff(ctx, actor, { ...sent, nonce: "n1" });
  expect([await sentBy(person), await storedOf()]).toEqual([size, size]);
  const before = await filesInStore();
  await undoReply(ctx, actor, { ticketId: ticket.id, messageId: replied.ok ? replied.value : "", nonce: "n2" });
  await ctx.settle();
  // Otherwise whoever sends and takes back in turns fills the store.
  expect([await sentBy(person), await storedOf(), await filesInStore()]).toEqual([size, 0, before - 1]);

  const again = await storeFile(ctx, { name: "plan.pdf", kind: "pdf", bytes: pdf() });
  const file = attachFile(ctx, again, { subject: { type: "ticket", id: ticket.id } });
  await commit(ctx.db, [file.statement]);
  await ctx.db.update(tickets).set({ organization_id: team.other.id }).where(eq(tickets.id, ticket.id));
  expect([await storedOf(), await storedOf(team.other.id)]).toEqual([0, size]);
  await ctx.db.run(sql`DELETE FROM attachments WHERE id = ${file.id}`);
  expect(await storedOf(team.other.id)).toBe(0);
});
