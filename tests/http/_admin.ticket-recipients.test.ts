import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { userRoles, users } from "~/db/schema/accounts";
import { mutedSubjects, notificationPreferences, notifications } from "~/db/schema/notifications";
import { outbox } from "~/db/schema/outbox";
import { ticketCopies } from "~/db/schema/ticket-work";
import { ticketMessages } from "~/db/schema/tickets";
import { addCc } from "~/features/tickets/cc/actions.server";
import { addPerson } from "~/features/tickets/commands.server";
import { mailboxOf } from "~/lib/email";
import { minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_admin.admin.tickets.$ticket";
import { testContext } from "../support/context";
import { as, type Person } from "../support/factories";
import { args, get, post } from "../support/requests";
import { collectedMails } from "../support/ticket-announcements";
import { makeTicket, ticketWorld } from "../support/tickets";

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
  const world = await ticketWorld();
  const { base, here, dana, omar, sam } = world;
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const editor = { side: "staff", by: { userId: sam.id, fullName: sam.fullName, side: "staff" } } as const;
  const named = { ticketId: ticket.id, nonce: crypto.randomUUID() };
  const ctx = as(base, sam);
  await addPerson(ctx, editor, { ...named, userId: omar.id });
  await addCc(ctx, editor, { ...named, email: landlord });
  await collectedMails(base);
  await base.db.batch([base.db.delete(outbox), base.db.delete(notifications)]);
  const path = `/admin/tickets/T-${ticket.number}`;
  const params = { ticket: `T-${ticket.number}` };
  const page = async (person: Person = sam) => {
    const asked = as(base, person);
    return { ctx: asked, ...(await (await loader(args(asked, get(path), params))).json()) };
  };
  const send = async (without: readonly string[], fields: Record<string, string> = {}, page_ = page) => {
    const { ctx: own, recipients, ticket: shown } = await page_();
    const form = new URLSearchParams({
      intent: "reply",
      form_token: issueFormToken(own, "ticket-reply"),
      begun_at_message: `${shown.publicMessages} ${shown.status}`,
      listed: recipients.map(({ id }) => id).join(" "),
      ...fields,
    });
    for (const { id, name } of recipients) if (!without.includes(name)) form.append("to", id);
    return action(args(own, new Request(`http://localhost:8787${path}`, { method: "POST", body: form }), params));
  };
  return { ...world, ticket, page, send, path };
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
  const { base, sam, send, page, path, ticket } = await shared();
  const { recipients } = await page();
  const copy = recipients.find(({ name }) => name === landlord)?.id;
  await send([landlord], { body: "Not for the landlord" });
  const { undoable } = await page();
  const ctx = as(base, sam);
  const undo = { intent: "undo", message: undoable?.id ?? "", form_token: issueFormToken(ctx, "ticket-undo") };
  expect((await action(args(ctx, post(path, undo), { ticket: `T-${ticket.number}` }))).status).toBe(303);
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
