import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { attachments } from "~/db/schema/attachments";
import { ticketMessages, tickets } from "~/db/schema/tickets";
import { CHANGE_PURPOSE } from "~/features/tickets/client-record/actions.server";
import { REPLY_PURPOSE } from "~/features/tickets/client-record/reply-actions.server";
import { days } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_portal.client.tickets.$ticket";
import { flash } from "../support/admin-area";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { bindings, type TestContext } from "../support/context";
import { pdf } from "../support/documents";
import type { Person } from "../support/factories";
import { args, get, thrownBy } from "../support/requests";
import { makeTicket } from "../support/tickets";

let team: ClientTeam;
let ticket: { id: string; number: number };
beforeEach(async () => {
  team = await clientTeam();
  ticket = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
});

const refOf = ({ number }: { number: number }) => `T-${number}`;

async function opened(person: Person, ref = refOf(ticket)) {
  const request = get(`/client/tickets/${ref}`);
  return (await loader(args(await team.requestOf(person), request, { ticket: ref }))).json();
}

const missing = (work: Promise<unknown>) => thrownBy(work).then(({ status, body }) => ({ status, body }));
const MISSING = { status: 404, body: null };

type Post = { fields: Record<string, string>; files?: File[]; ref?: string };

async function send(ctx: TestContext, { fields, files = [], ref = refOf(ticket) }: Post) {
  const body = new FormData();
  const purpose = fields.intent === "reply" ? REPLY_PURPOSE : CHANGE_PURPOSE;
  body.append("form_token", fields.form_token ?? issueFormToken(ctx, purpose));
  body.append("organization_id", ctx.signedIn?.membership?.organizationId ?? "");
  for (const [name, value] of Object.entries(fields)) if (name !== "form_token") body.append(name, value);
  for (const file of files) body.append("files", file);
  const request = new Request(`http://localhost:8787/client/tickets/${ref}`, { method: "POST", body });
  return action(args(ctx, request, { ticket: ref }));
}

const reply = async (person: Person, body: string, files: File[] = []) =>
  send(await team.requestOf(person), { fields: { intent: "reply", body }, files });
const press = async (person: Person, fields: Record<string, string>, ref?: string) =>
  send(await team.requestOf(person), { fields, ref });

const rowOf = async ({ id }: { id: string }) => (await team.ctx.db.select().from(tickets).where(eq(tickets.id, id)))[0];
const storedFiles = async () => (await bindings.FILES.list()).objects.length;
const errorsOf = async (response: Response) => (await response.json()) as { errors: Record<string, string> };

async function write(message: string, changes: Partial<typeof ticketMessages.$inferInsert> = {}) {
  const { ctx, organization } = team;
  const at = ctx.now();
  await ctx.db.insert(ticketMessages).values({
    id: ctx.newId("msg"),
    organization_id: organization.id,
    ticket_id: ticket.id,
    author_name: "Jordan Vale",
    side: "staff",
    message,
    created_at: at,
    updated_at: at,
    ...changes,
  });
}

test("the page is found by number and by id, and shows what clients may read: no internal note, nor its file", async () => {
  await write("Try the other cable.");
  await write("They forgot to pay.", { id: "msg_note", is_internal: true });
  await team.ctx.db.run(sql`INSERT INTO attachments (id, r2_key, name, kind, size, sha256, created_at, subject_type,
    subject_id, message_id) VALUES ('att_note', 'att/note', 'unpaid.pdf', 'pdf', 1, '', 1, 'ticket', ${ticket.id}, 'msg_note')`);
  const page = await opened(team.member);
  expect(page.messages.map(({ author, from, text }) => [author, from, text])).toEqual([
    ["Dana Whitlock", "colleague", "It blinks."],
    ["Jordan", "support", "Try the other cable."],
  ]);
  expect(JSON.stringify(page)).not.toMatch(/forgot|unpaid|_note/);
  expect(await opened(team.owner, ticket.id)).toMatchObject({ number: refOf(ticket) });
});

test("a ticket of another organization, a colleague's private one and none at all are missing alike, for every form too", async () => {
  const kept = await makeTicket(team.ctx, {
    organizationId: team.organization.id,
    createdBy: team.owner,
    isPrivate: true,
  });
  for (const [person, ref] of [
    [team.stranger, refOf(ticket)],
    [team.stranger, ticket.id],
    [team.member, refOf(kept)],
    [team.member, "T-999999999"],
    [team.member, "nonsense"],
  ] as const) {
    expect(await missing(opened(person, ref))).toEqual(MISSING);
    for (const fields of [
      { intent: "reply", body: "Hello" },
      { intent: "move", move: "solved" },
      { intent: "privacy", private: "on" },
      { intent: "add", user_id: team.lead.id },
      { intent: "remove", user_id: team.lead.id },
    ] as Record<string, string>[]) {
      expect(await missing(press(person, fields, ref))).toEqual(MISSING);
    }
  }
});

test("a reply is added with its files, and opens again what waited for the client", async () => {
  await team.ctx.db.update(tickets).set({ status: "waiting_for_customer", waiting_since: 1 });
  const response = await reply(team.owner, "Still dead.", [
    new File([pdf()], "light.pdf"),
    new File(["a\n"], "ping.log"),
  ]);
  expect(response.headers.get("Location")).toMatch(new RegExp(`^/client/tickets/${refOf(ticket)}#msg_`));
  expect(flash(team.ctx)).toBe("Success: Message added successfully");
  const page = await opened(team.lead);
  expect(page).toMatchObject({ status: "open", waitsFor: expect.stringMatching(/^waiting for /) });
  expect(page.messages.at(-1)).toMatchObject({ author: "Dana Whitlock", text: "Still dead." });
  expect(page.messages.at(-1)?.files.map(({ name }) => name)).toEqual(["light.pdf", "ping.log"]);
});

test("the same reply posted twice, with its file, is one message with one file", async () => {
  const ctx = await team.requestOf(team.owner);
  const fields = { intent: "reply", body: "Once", form_token: issueFormToken(ctx, REPLY_PURPOSE) };
  const files = () => [new File([pdf()], "once.pdf")];
  await Promise.all([send(ctx, { fields, files: files() }), send(ctx, { fields, files: files() })]);
  await send(ctx, { fields, files: files() });
  const { messages } = await opened(team.owner);
  expect(messages.filter(({ text }) => text === "Once")).toHaveLength(1);
  expect(await team.ctx.db.select().from(attachments).where(eq(attachments.subject_id, ticket.id))).toHaveLength(1);
});

test.each([
  ["nothing at all", "  ", [], { body: "Write a message or attach a file." }],
  ["20,001 characters", "x".repeat(20_001), [], { body: "A message can have at most 20,000 characters." }],
  [
    "a program",
    "See",
    [new File(["MZ"], "fix.exe")],
    {
      files:
        '"fix.exe" cannot be sent here. PDF, Office, text and image files can, if their content matches their name.',
    },
  ],
  ["an empty file", "See", [new File([], "log.txt")], { files: '"log.txt" is empty.' }],
  [
    "six files",
    "See",
    [1, 2, 3, 4, 5, 6].map((count) => new File(["a"], `${count}.txt`)),
    { files: "At most 5 files go with one message." },
  ],
])("a reply with %s is rejected, with what was typed, and keeps no file", async (_, body, files, errors) => {
  const before = await storedFiles();
  const response = await reply(team.owner, body, files);
  expect(response.status).toBe(400);
  expect(await errorsOf(response)).toMatchObject({ errors, values: { body } });
  await team.ctx.settle();
  expect(await storedFiles()).toBe(before);
  expect((await opened(team.owner)).messages).toHaveLength(1);
});

test("20,000 characters are accepted", async () => {
  expect((await reply(team.owner, "x".repeat(20_000))).status).toBe(303);
});

test("files without the form's token are not stored, and the form says to choose them again", async () => {
  const before = await storedFiles();
  const ctx = await team.requestOf(team.owner);
  const response = await send(ctx, {
    fields: { intent: "reply", body: "See", form_token: "forged" },
    files: [new File([pdf()], "a.pdf")],
  });
  expect(response.status).toBe(400);
  expect(await storedFiles()).toBe(before);
});

test("solved, reopened, closed: the creator by their buttons; a colleague who only sees it is denied", async () => {
  const status = async () => (await rowOf(ticket))?.status;
  await press(team.owner, { intent: "move", move: "solved" });
  expect([await status(), (await opened(team.owner)).moves]).toEqual(["resolved", ["close", "reopen"]]);
  await press(team.lead, { intent: "move", move: "reopen" });
  expect(await status()).toBe("open");
  expect((await press(team.member, { intent: "move", move: "close" })).status).toBe(400);
  expect((await press(team.owner, { intent: "move", move: "in_progress" })).status).toBe(400);
  expect(await status()).toBe("open");
  await press(team.owner, { intent: "move", move: "close" });
  expect(await status()).toBe("closed");
});

test("an answer to a ticket that ended long ago opens one that goes on from it", async () => {
  const longAgo = team.ctx.now() - days(15);
  await team.ctx.db.update(tickets).set({ status: "closed", closed_at: longAgo, resolved_at: longAgo });
  expect((await opened(team.owner)).isOver).toBe(true);
  const response = await reply(team.owner, "It is back.", [new File([pdf()], "again.pdf")]);
  const number = response.headers.get("Location")?.split("/").at(-1) ?? "";
  expect(number).not.toBe(refOf(ticket));
  const next = await opened(team.owner, number);
  expect(next).toMatchObject({ followUpOf: refOf(ticket), status: "open" });
  expect(next.messages[0]).toMatchObject({ text: "It is back.", files: [{ name: "again.pdf" }] });
  expect((await opened(team.owner)).followUps).toMatchObject([{ number }]);
});

test("a private ticket is gone for colleagues until they are added, and gone again when they leave", async () => {
  expect((await opened(team.owner)).readers).toMatch(/^Everybody at .+ can read this\.$/);
  await press(team.owner, { intent: "privacy", private: "on" });
  expect(await missing(opened(team.member))).toEqual(MISSING);
  const { colleagues, readers } = await opened(team.owner);
  expect(readers).toMatch(/^Admins of Brightsmile Dental and .+ support can read this\.$/);
  expect(colleagues.map(({ name }) => name)).toEqual(["Priya Nair", "Sam Ortega"]);
  await press(team.owner, { intent: "add", user_id: team.member.id });
  const page = await opened(team.member);
  expect(page.readers).toMatch(/^Dana Whitlock, admins of Brightsmile Dental and .+ support can read this\.$/);
  expect(page.people.map(({ name }) => name)).toEqual(["Dana Whitlock", "You"]);
  expect([page.mayChange, page.colleagues]).toEqual([false, []]);
  const left = await press(team.member, { intent: "remove", user_id: team.member.id });
  expect(left.headers.get("Location")).toBe("/client/tickets");
  expect(await missing(opened(team.member))).toEqual(MISSING);
});

test("nobody from outside the organization is added, and a member changes neither privacy nor people of a colleague's", async () => {
  for (const id of [team.stranger.id, "usr_missing", ""]) {
    expect((await press(team.owner, { intent: "add", user_id: id })).status).toBe(400);
  }
  for (const fields of [
    { intent: "privacy", private: "on" },
    { intent: "add", user_id: team.member.id },
    { intent: "remove", user_id: team.owner.id },
  ] as Record<string, string>[]) {
    expect((await press(team.member, fields)).status).toBe(400);
  }
  expect(await rowOf(ticket)).toMatchObject({ is_private: false, viewers: `~${team.owner.id}.` });
});

test("a form of an organization that its sender has left for another one changes nothing", async () => {
  const ctx = await team.requestOf(team.owner);
  const body = new URLSearchParams({ intent: "move", move: "close", organization_id: team.other.id });
  body.append("form_token", issueFormToken(ctx, CHANGE_PURPOSE));
  const request = new Request(`http://localhost:8787/client/tickets/${refOf(ticket)}`, { method: "POST", body });
  expect((await thrownBy(action(args(ctx, request, { ticket: refOf(ticket) })))).status).toBe(409);
  expect((await rowOf(ticket))?.status).toBe("open");
});
