import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { mutedSubjects, notificationPreferences, notifications } from "~/db/schema/notifications";
import { contacts, organizations } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketMessages, ticketPeople } from "~/db/schema/tickets";
import { addCc } from "~/features/tickets/cc/actions.server";
import { listCc } from "~/features/tickets/cc/queries.server";
import { addPerson } from "~/features/tickets/commands.server";
import { mailboxOf } from "~/lib/email";
import type { ValidationError } from "~/lib/form";
import { minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import * as requester from "~/routes/_admin.admin.tickets.requester.$ticket";
import { flash } from "../support/admin-area";
import { testContext } from "../support/context";
import { as, type Person } from "../support/factories";
import { mailIn, replyAddress } from "../support/inbound-mail";
import { pageAt } from "../support/page";
import { collectedMails } from "../support/ticket-announcements";
import { openedTicket, ticketPage } from "../support/ticket-forms";
import { historyOf, textsOf, ticketRow } from "../support/tickets";

describe("recipients of a reply", () => {
  let landlord = "";

  let count = 0;

  beforeEach(async () => {
    // An address is added a few times an hour only.
    count += 1;
    landlord = `landlord${count}@outside.example`;
    const { db } = testContext();
    await db.batch([db.delete(outbox), db.delete(notifications), db.delete(userRoles)]);
  });

  /** Makes a ticket of Dana's with Omar on it and the landlord in copy, whose mails about that have left. */
  async function shared() {
    const world = await openedTicket();
    const { base, ctx, ticket, path, omar, sam } = world;
    const editor = { side: "staff", by: { userId: sam.id, fullName: sam.fullName, side: "staff" } } as const;
    const named = { ticketId: ticket.id, nonce: crypto.randomUUID() };
    await addPerson(ctx, editor, { ...named, userId: omar.id });
    await addCc(ctx, editor, { ...named, email: landlord });
    await collectedMails(base);
    await base.db.batch([base.db.delete(outbox), base.db.delete(notifications)]);
    const page = async (person: Person = sam) => {
      const asked = as(base, person);
      return { ctx: asked, ...(await ticketPage.read(asked, path)) };
    };
    const send = async (without: readonly string[], fields: Record<string, string> = {}, page_ = page) => {
      const { ctx: own, recipients, ticket: shown } = await page_();
      return ticketPage.send(own, path, "ticket-reply", {
        intent: "reply",
        begun_at_message: `${shown.publicMessages} ${shown.status}`,
        listed: recipients.map(({ id }) => id).join(" "),
        to: recipients.flatMap(({ id, name }) => (without.includes(name) ? [] : [id])),
        ...fields,
      });
    };
    return { ...world, page, send };
  }

  const textsTo = (mails: readonly { to: string; text: string }[], to: string) =>
    mails.filter((mail) => mail.to === to).map(({ text }) => text);

  test("whoever is left out of a reply gets neither its mail nor its notification, and no later mail repeats it", async () => {
    const { base, dana, omar, send, page } = await shared();
    expect((await page()).recipients).toMatchObject([
      { name: "Dana Ortiz", kind: "member" },
      { name: "Omar Reyes", kind: "member" },
      { name: landlord, kind: "copy" },
    ]);
    expect((await send(["Omar Reyes", landlord], { body: "Only for Dana: the lease ends." })).status).toBe(303);
    const first = await collectedMails(base);
    expect(first.map(({ to }) => to)).toEqual([dana.email]);
    const told = await base.db.select().from(notifications).where(eq(notifications.event, "staff_replied"));
    expect(told.map(({ user_id }) => user_id)).toEqual([dana.id]);
    const { thread } = await page();
    expect(thread).toContainEqual(
      expect.objectContaining({ text: "Only for Dana: the lease ends.", notTo: `Omar Reyes, ${landlord}` }),
    );

    base.clock.advance(minutes(5));
    await send([], { body: "For all: we come at nine." });
    const second = [...(await collectedMails(base))];
    expect(second.map(({ to }) => to).toSorted()).toEqual([dana.email, omar.email, landlord].toSorted());
    expect(textsTo(second, dana.email)[0]).toContain("the lease ends");
    for (const to of [omar.email, landlord]) {
      expect(textsTo(second, to)[0]).toContain("we come at nine");
      expect(textsTo(second, to)[0]).not.toContain("lease");
    }
  });

  test("who resolves a ticket and leaves somebody out does not mail them what was done either", async () => {
    const { base, dana, omar, send } = await shared();
    await send([landlord], { intent: "reply_resolve", body: "", what_was_done: "Moved the printer out of the lease." });
    expect((await collectedMails(base)).map(({ to }) => to).toSorted()).toEqual([dana.email, omar.email].toSorted());
  });

  test("a reply that nobody would get is not sent, and what was typed and chosen stays", async () => {
    const { base, ticket, send, page } = await shared();
    const all = (await page()).recipients.map(({ name }) => name);
    const refused = await send(all, { body: "To no one" });
    expect(refused.status).toBe(400);
    const { recipients } = await page();
    expect(await refused.json()).toMatchObject({
      errors: { to: "Choose at least one person, or write an internal note" },
      values: { body: "To no one", not_to: recipients.map(({ id }) => id).join(" ") },
    });
    expect(await base.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id))).toEqual([]);
  });

  test("only people who get the reply can be left out of it: staff, strangers and made-up names change nothing", async () => {
    const { base, dana, omar, ivy, avery, ticket, send, page } = await shared();
    await base.db.run(sql`UPDATE support_tickets SET assigned_to = ${avery.id} WHERE id = ${ticket.id}`);
    const listed = [avery.id, ivy.id, "usr_none", "'); --", "~".repeat(500)].join(" ");
    expect((await send([], { body: "To all", listed })).status).toBe(303);
    const mails = await collectedMails(base);
    expect(mails.map(({ to }) => to).toSorted()).toEqual([dana.email, omar.email, landlord, avery.email].toSorted());
    expect((await page()).thread).toContainEqual(expect.objectContaining({ text: "To all", notTo: null }));
  });

  test("whoever came to the ticket after its page was opened gets the reply, and whoever left is in nobody's way", async () => {
    const { base, dana, ivy, here, ticket, page, send, sam } = await shared();
    const opened = await page();
    const editor = { side: "staff", by: { userId: sam.id, fullName: sam.fullName, side: "staff" } } as const;
    await base.db.run(sql`UPDATE organization_memberships SET organization_id = ${here.id} WHERE user_id = ${ivy.id}`);
    const added = await addPerson(opened.ctx, editor, { ticketId: ticket.id, userId: ivy.id, nonce: "late" });
    expect(added.ok).toBe(true);
    await base.db.delete(ticketCopies).where(eq(ticketCopies.email, landlord));
    await collectedMails(base);
    await send(["Omar Reyes", landlord], { body: "Hello" }, async () => opened);
    expect((await collectedMails(base)).map(({ to }) => to).toSorted()).toEqual([dana.email, ivy.email].toSorted());
  });

  test("a reply that is taken back remembers whom it left out, and so does a draft", async () => {
    const { ctx, send, page, path } = await shared();
    const { recipients } = await page();
    const copy = recipients.find(({ name }) => name === landlord)?.id;
    await send([landlord], { body: "Not for the landlord" });
    const { undoable } = await page();
    const undo = { intent: "undo", message: undoable?.id ?? "" };
    expect((await ticketPage.send(ctx, path, "ticket-undo", undo)).status).toBe(303);
    expect((await page()).drafts.reply).toMatchObject({
      text: "Not for the landlord",
      notTo: JSON.stringify([copy]),
    });
    await send(["Omar Reyes"], { intent: "draft", body: "Not for Omar" });
    const omar = recipients.find(({ name }) => name === "Omar Reyes")?.id;
    expect((await page()).drafts.reply?.notTo).toBe(JSON.stringify([omar]));
  });

  test("those who are named are those who are mailed or told, whatever each of them has chosen", async () => {
    const { base, dana, omar, ticket, page, send } = await shared();
    const off = { event: "staff_replied" as const, by_mail: false, in_app: false };
    await base.db.insert(notificationPreferences).values({ user_id: dana.id, ...off });
    await base.db.insert(mutedSubjects).values({ subject_type: "ticket", subject_id: ticket.id, user_id: omar.id });
    expect((await page()).recipients.map(({ name }) => name)).toEqual([landlord]);
    await send([], { body: "Hello" });
    expect((await collectedMails(base)).map(({ to }) => to)).toEqual([landlord]);

    await base.db.delete(notificationPreferences).where(eq(notificationPreferences.user_id, dana.id));
    await base.db.run(sql`UPDATE support_tickets SET is_private = 1 WHERE id = ${ticket.id}`);
    expect((await page()).recipients.map(({ name }) => name)).toEqual(["Dana Ortiz"]);
    await base.db.update(users).set({ status: "deactivated" }).where(eq(users.id, dana.id));
    expect((await page()).recipients).toEqual([]);
  });

  test("an address that asked for no more copies is named like any other, and mailed nothing", async () => {
    const { base, page, send, dana, omar } = await shared();
    await base.db
      .update(ticketCopies)
      .set({ stopped_mailbox: mailboxOf(landlord) })
      .where(eq(ticketCopies.email, landlord));
    expect((await page()).recipients.map(({ name }) => name)).toContain(landlord);
    await send([], { body: "Hello" });
    expect((await collectedMails(base)).map(({ to }) => to).toSorted()).toEqual([dana.email, omar.email].toSorted());
  });
});

async function world() {
  const all = await openedTicket();
  const { base, ctx, here, ticket, reference } = all;
  const page = pageAt("/admin/tickets/requester/:ticket", requester);
  const path = `/admin/tickets/requester/${reference}`;
  const send = (fields: Record<string, string>) => page.send(ctx, path, "ticket-requester", fields);
  const read = () => page.read(ctx, path);
  const addContact = async (email: string, organizationId = here.id) => {
    const id = base.newId("con");
    await base.db
      .insert(contacts)
      .values({ id, organization_id: organizationId, email, full_name: "Lee Moss", created_at: 0 });
    return id;
  };
  const copies = () => base.db.select().from(ticketCopies).where(eq(ticketCopies.ticket_id, ticket.id));
  return { ...all, send, read, addContact, copies };
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
  const form = { person: omar.id, form_token: issueFormToken(ctx, "ticket-requester") };
  const twice = await Promise.all([send(form), send(form)]);
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
