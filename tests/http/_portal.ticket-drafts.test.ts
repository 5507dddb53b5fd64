import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { ticketDrafts, ticketMessages } from "~/db/schema/tickets";
import { REPLY_PURPOSE } from "~/features/tickets/client-record/actions.server";
import type { ClientTicketResult } from "~/features/tickets/client-record/read-client-ticket.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as exported } from "~/routes/_portal.client.exports.$file";
import { action, loader } from "~/routes/_portal.client.tickets.$ticket";
import { flash } from "../support/admin-area";
import { type ClientTeam, clientTeam } from "../support/client-team";
import type { TestContext } from "../support/context";
import { as, makePerson, type Person, signedInAs } from "../support/factories";
import { args, get, post, thrownBy } from "../support/requests";
import { makeTicket, textsOf } from "../support/tickets";

let team: ClientTeam;
let ticket: { id: string; number: number };
let path: string;
beforeEach(async () => {
  team = await clientTeam();
  ticket = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
  path = `/client/tickets/T-${ticket.number}`;
});

const params = () => ({ ticket: `T-${ticket.number}` });
const read = async (person: Person) => (await loader(args(await team.requestOf(person), get(path), params()))).json();

async function send(person: Person, intent: string, fields: Record<string, string>, on?: TestContext) {
  const ctx = on ?? (await team.requestOf(person));
  const token = fields.form_token ?? issueFormToken(ctx, REPLY_PURPOSE);
  const organization_id = ctx.signedIn?.membership?.organizationId ?? "";
  return action(args(ctx, post(path, { ...fields, intent, organization_id, form_token: token }), params()));
}

async function staffReplies(text: string) {
  const sam = await makePerson(team.ctx, { role: "moderator", fullName: "Sam Lee" });
  const actor = { ...signedInAs(sam, team.ctx.now()), role: "moderator" as const, membership: null };
  const nonce = crypto.randomUUID();
  await replyAsStaff(as(team.ctx, sam), actor, { ticketId: ticket.id, text, effect: "send", baseMessage: 0, nonce });
}

test("what a client has begun is kept for them alone, and gone when it was sent or thrown away", async () => {
  await send(team.owner, "draft", { body: "It still bli", begun_at_message: "0" });
  expect((await read(team.owner)).draft).toMatchObject({ text: "It still bli", baseMessage: 0 });
  expect((await read(team.member)).draft).toBeNull();
  const ctx = await team.requestOf(team.owner);
  await send(team.owner, "discard", {}, ctx);
  expect((await read(team.owner)).draft).toBeNull();
  expect(flash(ctx)).toBe("Draft deleted: Nothing of it is kept.");
  await send(team.owner, "draft", { body: "It still blinks" });
  await send(team.owner, "reply", { body: "It still blinks.", begun_at_message: "0" });
  expect((await read(team.owner)).draft).toBeNull();
  expect(await textsOf(team.ctx, ticket.id)).toEqual(["It still blinks."]);
});

test("a text that a script keeps after it was sent is no draft", async () => {
  const ctx = await team.requestOf(team.owner);
  const form = { form_token: issueFormToken(ctx, REPLY_PURPOSE), body: "It blinks", begun_at_message: "0" };
  const kept = await send(team.owner, "autosave", form, ctx);
  expect([kept.status, kept.headers.get("Set-Cookie")]).toEqual([303, null]);
  expect((await read(team.owner)).draft?.text).toBe("It blinks");
  await send(team.owner, "reply", form, ctx);
  await send(team.owner, "autosave", form, ctx);
  expect(await team.ctx.db.select().from(ticketDrafts)).toEqual([]);
});

test("nobody keeps a draft on a ticket that they may not see", async () => {
  const { status } = await thrownBy(send(team.stranger, "draft", { body: "Mine" }));
  expect(status).toBe(404);
  expect(await team.ctx.db.select().from(ticketDrafts).where(eq(ticketDrafts.ticket_id, ticket.id))).toEqual([]);
});

test("a reply that support has overtaken comes back with both texts, and is sent when that was read", async () => {
  await staffReplies("Replaced the cable.");
  const answered = await send(team.owner, "reply", { body: "It still blinks.", begun_at_message: "0" });
  const result = (await answered.json()) as ClientTicketResult;
  expect([answered.status, result.title]).toEqual([409, "This ticket changed while you were working"]);
  expect(result).toMatchObject({
    values: { body: "It still blinks." },
    conflict: { words: "Sam replied while you were writing.", upTo: 1, messages: [{ text: "Replaced the cable." }] },
  });
  expect(await textsOf(team.ctx, ticket.id)).toEqual(["Replaced the cable."]);
  expect((await read(team.owner)).draft).toMatchObject({ text: "It still blinks.", baseMessage: 0 });
  const again = await send(team.owner, "reply", { body: "It still blinks.", begun_at_message: "1" });
  expect([again.status, (await read(team.owner)).draft]).toEqual([303, null]);
});

test("a message with a password is asked about once, and sent if its author wants that", async () => {
  const body = "The password is Blue-42horse";
  const asked = await send(team.owner, "reply", { body, begun_at_message: "0" });
  const { errors, values } = (await asked.json()) as ClientTicketResult;
  expect([asked.status, errors.body, values.body]).toEqual([400, expect.stringContaining("password"), body]);
  expect(await team.ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id))).toEqual([]);
  expect((await send(team.owner, "reply", { ...values, begun_at_message: "0" })).status).toBe(303);
});

test("the file of a member has the tickets that they see on the page, and no others", async () => {
  const mine = { organizationId: team.organization.id, createdBy: team.owner } as const;
  await makeTicket(team.ctx, { ...mine, title: "Payroll", isPrivate: true });
  await makeTicket(team.ctx, { organizationId: team.other.id, createdBy: team.stranger, title: "Foreign" });
  const file = async (person: Person) => {
    const address = get("/client/exports/tickets.csv?q=&status=open");
    return (await exported(args(await team.requestOf(person), address, { file: "tickets.csv" }))).text();
  };
  const ofMember = await file(team.member);
  expect(ofMember).toContain("Printer offline");
  expect(ofMember).not.toMatch(/Payroll|Foreign/);
  expect(await file(team.owner)).toContain("Payroll");
  const events = await team.ctx.db.select().from(auditEvents).where(eq(auditEvents.action, "ticket.exported"));
  expect(events).toHaveLength(2);
});
