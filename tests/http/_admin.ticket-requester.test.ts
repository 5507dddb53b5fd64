import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { contacts, organizations } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketPeople } from "~/db/schema/tickets";
import { listCc } from "~/features/tickets/cc/queries.server";
import type { ValidationError } from "~/lib/form";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_admin.admin.tickets.requester.$ticket";
import { flash } from "../support/admin-area";
import { mailIn, replyAddress } from "../support/inbound-mail";
import { args, get, post } from "../support/requests";
import { historyOf, makeTicket, textsOf, ticketRow, ticketWorld } from "../support/tickets";

async function world() {
  const all = await ticketWorld();
  const { base, here, there, dana, sam, staff } = all;
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const { ctx } = staff(sam);
  const path = `/admin/tickets/requester/T-${ticket.number}`;
  const params = { ticket: `T-${ticket.number}` };
  const send = (fields: Record<string, string>, form_token = issueFormToken(ctx, "ticket-requester")) =>
    action(args(ctx, post(path, { form_token, ...fields }), params));
  const read = async () => (await loader(args(ctx, get(path), params))).json();
  const addContact = async (email: string, organizationId = here.id) => {
    const id = base.newId("con");
    await base.db
      .insert(contacts)
      .values({ id, organization_id: organizationId, email, full_name: "Lee Moss", created_at: 0 });
    return id;
  };
  const copies = () => base.db.select().from(ticketCopies).where(eq(ticketCopies.ticket_id, ticket.id));
  return { ...all, ctx, ticket, there, send, read, addContact, copies };
}

const errorsOf = async (response: Response) => {
  const { errors } = (await response.json()) as ValidationError;
  return [response.status, Object.keys(errors)] as const;
};

test("nobody of another organization, who works here, or who is not known gets a ticket, and what was typed stays", async () => {
  const { base, ticket, there, ivy, sam, dana, send, addContact, ctx } = await world();
  const foreign = await addContact("lee@elsewhere.example", there.id);
  for (const person of [ivy.id, foreign, sam.id, "usr_missing", "con_missing"])
    expect(await errorsOf(await send({ person }))).toEqual([400, ["person"]]);
  expect(await errorsOf(await send({}))).toEqual([400, ["person"]]);
  const typed = { requester_name: "Sam", requester_email: sam.email };
  expect(await errorsOf(await send(typed))).toEqual([400, ["requester_email"]]);
  expect(await errorsOf(await send({ ...typed, person: dana.id }))).toEqual([400, ["person"]]);
  const own = /<?([^<>\s]+@[^<>\s]+)>?$/.exec(ctx.config.MAIL_FROM)?.[1] ?? "";
  for (const requester_email of ["lee", "no-reply@larkspur.example", own])
    expect(await errorsOf(await send({ requester_name: "Lee", requester_email }))).toEqual([400, ["requester_email"]]);
  const again = (await (await send({ requester_name: "", requester_email: "lee" })).json()) as ValidationError;
  expect(again.values).toMatchObject({ requester_email: "lee" });
  expect(await ticketRow(base, ticket.id)).toMatchObject({ created_by: dana.id, version: 1 });
});

test("a colleague becomes the requester, is told once however often the form arrives, and the one before hears no more", async () => {
  const { base, ctx, ticket, here, dana, omar, send, read } = await world();
  await base.db.update(organizations).set({ visibility: "own" }).where(eq(organizations.id, here.id));
  await base.db.insert(ticketPeople).values({
    ...{ organization_id: here.id, ticket_id: ticket.id, user_id: omar.id, added_by: null, added_at: 0 },
  });
  expect((await read()).people.map(({ id }) => id)).toEqual([omar.id]);
  const token = issueFormToken(ctx, "ticket-requester");
  const twice = await Promise.all([send({ person: omar.id }, token), send({ person: omar.id }, token)]);
  expect(twice.map(({ status }) => status)).toEqual([303, 303]);
  expect(flash(ctx)).toMatch(/^Requester changed/);
  expect(await ticketRow(base, ticket.id)).toMatchObject({
    ...{ created_by: omar.id, creator_name: "Omar Reyes", contact_id: null, viewers: `~${omar.id}.` },
  });
  expect(await historyOf(base, ticket.id)).toEqual([["requester", "Dana Ortiz", "Omar Reyes", "Sam Lee"]]);
  expect(await base.db.select().from(ticketPeople).where(eq(ticketPeople.ticket_id, ticket.id))).toEqual([]);
  const told = await base.db.select().from(outbox).where(eq(outbox.subject_id, ticket.id));
  expect(told.map(({ user_id }) => user_id)).toEqual([omar.id]);
  const former = await mailIn(base, { from: dana.email, to: replyAddress(base, ticket, dana.id) });
  expect(former).toMatchObject({ state: "held", reason: "no_member" });
  expect(await textsOf(base, ticket.id)).toEqual([]);
  const own = await mailIn(base, { from: omar.email, to: replyAddress(base, ticket, omar.id) });
  expect(own).toMatchObject({ state: "processed", ticket_id: ticket.id });
});

test("whoever is on the ticket besides stays on it when it becomes somebody else's", async () => {
  const { base, ticket, here, dana, omar, send } = await world();
  await base.db.insert(ticketPeople).values({
    ...{ organization_id: here.id, ticket_id: ticket.id, user_id: dana.id, added_by: null, added_at: 0 },
  });
  expect((await send({ person: omar.id })).status).toBe(303);
  const { viewers } = await ticketRow(base, ticket.id);
  expect([dana, omar].every(({ id }) => viewers.includes(`~${id}.`))).toBe(true);
  const mail = await mailIn(base, { from: dana.email, to: replyAddress(base, ticket, dana.id) });
  expect(mail).toMatchObject({ state: "processed", ticket_id: ticket.id });
});

test("a wrong contact is taken off, and neither their address nor a mail that waits leads to the ticket any more", async () => {
  const { base, ticket, omar, send, addContact, copies } = await world();
  const wrong = "lee@larkspur.example";
  const contactId = await addContact(wrong);
  expect((await send({ person: contactId })).status).toBe(303);
  expect(await ticketRow(base, ticket.id)).toMatchObject({ created_by: null, contact_id: contactId, viewers: "" });
  const [copy] = await copies();
  expect(copy).toMatchObject({ email: wrong, contact_id: contactId });
  const waiting = () =>
    base.db
      .select()
      .from(outbox)
      .where(eq(outbox.copy_id, copy?.id ?? ""));
  expect(await waiting()).toHaveLength(1);
  const sent = { kind: "ticket-copy", to_hash: "", priority: 1, status: "sent", next_at: 0, created_at: 0 } as const;
  await base.db.insert(outbox).values({ ...sent, id: `sent-${ticket.id}`, copy_id: copy?.id });
  const to = replyAddress(base, ticket, copy?.id ?? "");
  expect((await send({ person: omar.id })).status).toBe(303);
  // That a mail was sent to them stays on record.
  expect((await waiting()).map(({ id }) => id)).toEqual([`sent-${ticket.id}`]);
  expect(await copies()).toMatchObject([{ id: copy?.id, email: wrong, contact_id: null }]);
  expect((await copies())[0]?.removed_at).not.toBeNull();
  expect(await listCc(base.db, ticket.id)).toEqual([]);
  expect(await mailIn(base, { from: wrong, to })).toMatchObject({ state: "held", reason: "token_of_another" });
  expect(await textsOf(base, ticket.id)).toEqual([]);
});

test("an address that is typed becomes a contact, also one in cc that wants no more copies; a member's is theirs", async () => {
  const { base, ticket, here, dana, omar, send, copies } = await world();
  await base.db.insert(ticketCopies).values({
    ...{ id: "cpy_1", organization_id: here.id, ticket_id: ticket.id, email: "ann@larkspur.example", added_at: 0 },
    stopped_mailbox: "ann@larkspur.example",
  });
  const typed = { requester_name: " Ann  Poe ", requester_email: "Ann@larkspur.example" };
  expect((await send(typed)).status).toBe(303);
  const { contact_id, creator_name } = await ticketRow(base, ticket.id);
  expect([creator_name, contact_id === null]).toEqual(["Ann Poe", false]);
  expect(await copies()).toMatchObject([{ id: "cpy_1", contact_id, stopped_mailbox: null }]);
  const mail = await base.db.select().from(outbox).where(eq(outbox.copy_id, "cpy_1"));
  expect(mail).toHaveLength(1);
  expect((await send({ requester_name: "Omar", requester_email: omar.email })).status).toBe(303);
  expect(await ticketRow(base, ticket.id)).toMatchObject({ created_by: omar.id, creator_name: "Omar Reyes" });
  expect((await send({ person: dana.id })).status).toBe(303);
  expect((await historyOf(base, ticket.id)).map((entry) => (entry as unknown[])[2])).toEqual([
    ...["Ann Poe", "Omar Reyes", "Dana Ortiz"],
  ]);
});

test("a ticket is given back to a contact who was mailed before, and what they got stays on record", async () => {
  const { base, ticket, omar, send, addContact, copies } = await world();
  const contactId = await addContact("lee@larkspur.example");
  expect((await send({ person: contactId })).status).toBe(303);
  const [before] = await copies();
  const sent = { kind: "ticket-copy", to_hash: "", priority: 1, status: "sent", next_at: 0, created_at: 0 } as const;
  await base.db.insert(outbox).values({ ...sent, id: `sent-${ticket.id}`, copy_id: before?.id });
  expect((await send({ person: omar.id })).status).toBe(303);
  expect((await send({ person: contactId })).status).toBe(303);
  const [after, ...others] = await copies();
  expect(others).toEqual([]);
  expect(after).toMatchObject({ contact_id: contactId, removed_at: null });
  expect(after?.id).not.toBe(before?.id);
  const mails = await base.db
    .select()
    .from(outbox)
    .where(eq(outbox.copy_id, after?.id ?? ""));
  expect(mails.map(({ status }) => status).sort()).toEqual(["pending", "sent"]);
});
