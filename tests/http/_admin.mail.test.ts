import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { blockedSenders, inboundMail } from "~/db/schema/inbound-mail";
import { contacts, organizationDomains, organizations } from "~/db/schema/organizations";
import { mailAddressHolds, outbox } from "~/db/schema/outbox";
import { rateLimitAttempts } from "~/db/schema/sessions";
import { ticketCopies } from "~/db/schema/ticket-work";
import { tickets } from "~/db/schema/tickets";
import { SENDING_ERRORS } from "~/features/inbound-mail/labels";
import { processWaitingMail } from "~/features/inbound-mail/process-mail.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { issueFormToken } from "~/platform/form-token.server";
import * as originalRoute from "~/routes/_admin.admin.exports.mail[.]eml";
import * as listRoute from "~/routes/_admin.admin.mail._index";
import * as mailRoute from "~/routes/_admin.admin.mail.$mailId";
import * as tryRoute from "~/routes/_admin.admin.mail.try";
import * as portalRoute from "~/routes/_portal.client.tickets.$ticket";
import { derive } from "../support/context";
import { memberOf } from "../support/factories";
import { handOver, mailIn, mailRows, replyAddress } from "../support/inbound-mail";
import { pageAt } from "../support/page";
import type { Fields } from "../support/requests";
import { ticketPage } from "../support/ticket-forms";
import { makeTicket, textsOf, ticketRow, ticketWorld } from "../support/tickets";

const list = pageAt("/admin/mail", listRoute);
const record = pageAt("/admin/mail/:mailId", mailRoute);
const trial = pageAt("/admin/mail/try", tryRoute);

let world: Awaited<ReturnType<typeof ticketWorld>>;
let held: Awaited<ReturnType<typeof mailIn>>;
let stranger = "";
let strangers = 0;

beforeEach(async () => {
  strangers += 1;
  stranger = `stranger-${strangers}@elsewhere.example`;
  world = await ticketWorld();
  const { db } = world.base;
  await db.batch([
    ...[db.delete(inboundMail), db.delete(blockedSenders), db.delete(rateLimitAttempts)],
    ...[db.delete(outbox), db.delete(mailAddressHolds)],
  ] as never);
  held = await mailIn(world.base, { from: `"Str anger" <${stranger}>`, to: "support@mail.wrenfield.example" });
});

const staff = (who = world.sam) => world.staff(who).ctx;
const listed = (query = "", who = world.sam) => list.read(staff(who), `/admin/mail${query}`);
const open = (id = held.id, who = world.sam) => record.read(staff(who), `/admin/mail/${id}`);

type Sent = { id?: string; fields?: Fields; who?: typeof world.sam };

const PURPOSES: Record<string, string> = {
  ...{ retry: "mail-retry", block: "mail-block", unblock: "mail-block", discard: "mail-discard" },
  ...{ to_ticket: "mail-place", new_ticket: "mail-place", send_anyway: "mail-place" },
  new_organization: "mail-organization",
};

async function decide(intent: string, { id = held.id, fields = {}, who = world.sam }: Sent = {}) {
  const response = await record.send(staff(who), `/admin/mail/${id}`, PURPOSES[intent] ?? "", { intent, ...fields });
  await world.base.settle();
  return response;
}

const send = async (intent: string, id = held.id) => (await decide(intent, { id })).status;
const ticketOf = ({ here, dana, base } = world) => makeTicket(base, { organizationId: here.id, createdBy: dana });

test("mail of nobody we know is held, listed with why, and read as text", async () => {
  expect(held).toMatchObject({ state: "held", reason: "unknown_sender" });
  expect((await listed()).mails).toMatchObject([{ id: held.id, address: stranger, reason: "unknown_sender" }]);
  for (const state of ["failed", "automatic", "bounced"]) expect((await listed(`?state=${state}`)).mails).toEqual([]);
  expect((await listed("?state=all")).mails).toHaveLength(1);
  // What is no state is the list that needs somebody.
  expect((await listed("?state=x%27--&before=y")).state).toBe("held");
  const { mail, content } = await open();
  expect([mail.state, content?.text]).toEqual(["held", "It blinks again."]);
});

test("the tabs count up to 50, and the page says how mail comes and goes", async () => {
  const { base, avery } = world;
  expect(await listed()).toMatchObject({
    counts: { held: "1", failed: "0", automatic: "0", bounced: "0" },
    health: { lastIn: held.received_at, sentToday: "0", delayed: null, isProven: false, provenAt: null },
    setUpTo: null,
  });
  const rows = Array.from({ length: 60 }, (_, index) => ({
    ...{ ...held, id: base.newId("inm"), object_key: `mail/${held.id}-${index}`, mail_key: null },
    state: "automatic" as const,
  }));
  for (let at = 0; at < rows.length; at += 4) await base.db.insert(inboundMail).values(rows.slice(at, at + 4));
  expect((await listed()).counts).toMatchObject({ held: "1", automatic: "50+" });
  expect((await listed("", avery)).setUpTo).toContain("/admin/settings");
});

test("under Bounced is our mail about tickets that did not arrive, why, and whether it can be sent again", async () => {
  const { base, here, dana, sam } = world;
  const ticket = await ticketOf();
  const { ctx, actor } = world.staff(sam);
  const sent = { ticketId: ticket.id, text: "Try again.", effect: "send", baseMessage: 0, nonce: "n" } as const;
  const replied = await replyAsStaff(ctx, actor, sent);
  if (!replied.ok) throw new Error(replied.code);
  const about = { kind: "ticket-update", to_hash: "h", subject_type: "ticket", subject_id: ticket.id, priority: 1 };
  const row = { ...about, params_enc: null, next_at: 1, user_id: dana.id } as const;
  await base.db.update(outbox).set({ status: "bounced", last_error: "not_reachable", to_hash: "own" });
  await base.db.insert(outbox).values([
    { ...row, id: "mail_held", status: "pending", last_error: "address_held", params_enc: "", created_at: 3 },
    { ...row, id: "mail_arrived", status: "delivered", created_at: 4 },
    { ...row, id: "mail_letter", status: "dead", subject_type: "organization", subject_id: here.id, created_at: 5 },
  ]);
  await base.db.insert(mailAddressHolds).values({ to_hash: "h", reason: "bounced", since: 1, until: null });
  const { undelivered, counts } = await listed("?state=bounced");
  expect(counts.bounced).toBe("2");
  expect(undelivered).toMatchObject([
    {
      to: dana.email,
      why: "Bounced: it came back: the mailbox is full or cannot be reached.",
      isUncertain: false,
      isSendable: true,
    },
    { id: "mail_held", why: "Address bounces, held until it is sent again.", isSendable: true },
  ]);
  expect((await listed()).undelivered).toEqual([]);
});

test("each mail of ours under Bounced comes to an end: once, whoever else decides, and on record", async () => {
  const { base, sam, avery } = world;
  const ticket = await ticketOf();
  await base.db.delete(outbox);
  const about = { kind: "ticket-received", to_hash: "h", subject_type: "ticket", subject_id: ticket.id, priority: 1 };
  const receipt = { ...about, next_at: 1, created_at: 1 } as const;
  await base.db.insert(outbox).values([
    { ...receipt, id: "mail_lost", status: "uncertain", params_enc: "kept" },
    { ...receipt, id: "mail_again", status: "uncertain", params_enc: "kept" },
    { ...receipt, id: "mail_old", status: "uncertain", params_enc: null },
    { ...receipt, id: "mail_back", status: "bounced", params_enc: null },
    { ...receipt, id: "mail_letter", status: "uncertain", params_enc: "kept", subject_type: "organization" },
  ]);
  const bounced = async () => {
    const { undelivered } = await listed("?state=bounced");
    return undelivered.map(({ id, isUncertain, isSendable }) => [id, isUncertain, isSendable]);
  };
  expect(await bounced()).toEqual([
    ["mail_again", true, true],
    ["mail_back", false, false],
    ["mail_lost", true, true],
    ["mail_old", true, false],
  ]);
  const decideFor = (who: typeof sam) => {
    const ctx = staff(who);
    const form_token = issueFormToken(ctx, "ticket-mail");
    return async (intent: string, mail: string) => {
      const answer = await list.post(ctx, "/admin/mail", { intent, mail, form_token });
      return [answer.status, answer.headers.get("Location")];
    };
  };
  const [bySam, byAvery] = [decideFor(sam), decideFor(avery)];
  const answers = await Promise.all([
    ...[bySam("arrived", "mail_lost"), bySam("arrived", "mail_lost"), byAvery("leave", "mail_lost")],
    ...[byAvery("send_again", "mail_again"), byAvery("send_again", "mail_again")],
    // One came back, one cannot be written once more, one is about no ticket.
    ...[bySam("arrived", "mail_back"), bySam("send_again", "mail_old"), bySam("arrived", "mail_letter")],
  ]);
  expect(new Set(answers.flat())).toEqual(new Set([303, "/admin/mail?state=bounced"]));
  const statuses = async () =>
    Object.fromEntries((await base.db.select().from(outbox)).map(({ id, status }) => [id, status]));
  const { mail_again: again, mail_lost: lost, ...rest } = await statuses();
  expect(again).not.toBe("uncertain");
  expect(["delivered", "left"]).toContain(lost);
  expect(rest).toEqual({ mail_old: "uncertain", mail_back: "bounced", mail_letter: "uncertain" });
  const marks = await base.db.select().from(auditEvents).where(eq(auditEvents.subject_id, ticket.id));
  expect(
    marks
      .map(({ meta_json: meta }) => meta && JSON.parse(meta).mail)
      .filter(Boolean)
      .sort(),
  ).toEqual(["mail_again", "mail_lost"]);
  await Promise.all([bySam("leave", "mail_old"), byAvery("leave", "mail_back")]);
  expect(await statuses()).toMatchObject({ mail_old: "left", mail_back: "left" });
  expect((await bounced()).filter(([id]) => id !== "mail_again")).toEqual([]);
});

test("a mail whose original is gone is still listed, and says that it cannot be shown", async () => {
  await world.base.files.delete([held.object_key]);
  expect((await open()).content).toBeNull();
});

test("a held mail that is tried again ends again, and one that became a message is not touched", async () => {
  expect(await send("retry")).toBe(303);
  expect((await open()).mail.state).toBe("received");
  expect(await processWaitingMail(world.base)).toBe(1);
  expect((await open()).mail).toMatchObject({ state: "held", reason: "unknown_sender" });
  await world.base.db.update(inboundMail).set({ state: "processed" });
  expect(await send("retry")).toBe(303);
  expect((await open()).mail.state).toBe("processed");
});

test("a mail that cannot be read says why", async () => {
  const nested = Array.from(
    { length: 200 },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  );
  await handOver(world.base, `From: ${stranger}\r\n${nested.join("")}`, {
    from: stranger,
    to: "support@wrenfield.example",
  });
  await world.base.settle();
  const mail = (await mailRows(world.base)).at(-1);
  expect((await open(mail?.id)).mail).toMatchObject({ reason: "unreadable", unreadable: "nesting_too_deep" });
});

test("mail of a blocked sender is dropped until somebody unblocks them", async () => {
  const again = async () => (await mailIn(world.base, { from: stranger, to: "support@mail.wrenfield.example" })).state;
  expect([await send("block"), await send("block")]).toEqual([303, 303]);
  expect([(await open()).mail.isBlocked, await again()]).toEqual([true, "dropped"]);
  expect(await send("unblock")).toBe(303);
  expect([(await open()).mail.isBlocked, await again()]).toEqual([false, "held"]);
});

test("what is decided in a row goes back to its list, and to no other page", async () => {
  const next = async (from: string) => {
    const blocked = await decide("block", { fields: { list: from } });
    return blocked.headers.get("Location");
  };
  expect([await next("held"), await next("//elsewhere.example"), await next("constructor")]).toEqual([
    "/admin/mail?state=held",
    ...[1, 2].map(() => `/admin/mail/${held.id}`),
  ]);
  const late = await decide("discard", { fields: { list: "failed", form_token: "old" } });
  expect([late.status, late.headers.get("Location")]).toEqual([303, "/admin/mail?state=failed"]);
});

test("a mail is read beside the list from which it was opened, else beside the mail of its state", async () => {
  const beside = async (query: string) => {
    const { list: shown } = await open(held.id + query);
    return [shown.state, shown.before, shown.mails.map(({ id }) => id)];
  };
  expect(await beside("")).toEqual(["held", null, [held.id]]);
  expect(await beside("?state=failed&before=5")).toEqual(["failed", 5, []]);
  await world.base.db.update(inboundMail).set({ state: "received" });
  expect(await beside("")).toEqual(["all", null, [held.id]]);
});

test("the address of an account cannot be blocked: the account can be shut out", async () => {
  const mail = await mailIn(world.base, { from: world.sam.email, to: "support@mail.wrenfield.example" });
  expect((await open(mail.id)).mail.mayBlock).toBe(false);
  await expect(send("block", mail.id)).rejects.toMatchObject({ status: 404 });
});

test("a ticket that is typed as people write it gets the mail, and one that is not there is said at its field", async () => {
  const { base } = world;
  const ticket = await ticketOf();
  for (const typed of ["T-999999999", "printer", "", "1e3"]) {
    const refused = await decide("to_ticket", { fields: { ticket: typed } });
    expect([typed, refused.status]).toEqual([typed, 400]);
    const body = await refused.json();
    expect(body).toMatchObject({ values: { ticket: typed, intent: "to_ticket" } });
    expect(body).toHaveProperty(["errors", "ticket"]);
    expect(body).not.toHaveProperty(["values", "form_token"]);
  }
  expect(await textsOf(base, ticket.id)).toEqual([]);
  const placed = await decide("to_ticket", { fields: { ticket: ` t-${ticket.number} ` } });
  expect([placed.status, placed.headers.get("Location")]).toEqual([303, "/admin/mail"]);
  expect(await textsOf(base, ticket.id)).toEqual(["It blinks again."]);
  // A colleague who still has the page.
  const late = await decide("to_ticket", { fields: { ticket: `${ticket.number}` }, who: world.avery });
  expect([late.status, late.headers.get("Location")]).toEqual([303, `/admin/mail/${held.id}`]);
  expect(await textsOf(base, ticket.id)).toHaveLength(1);
  const { mail, choices } = await open();
  expect([mail.ticket?.reference, mail.reason, choices]).toEqual([`T-${ticket.number}`, "placed", null]);
});

test("a stranger's mail that names a ticket says which, and one that names none that is here does not", async () => {
  const { base } = world;
  const ticket = await ticketOf();
  const namedBy = async (subject: string) => (await open((await mailIn(base, { from: stranger, subject })).id)).mail;
  expect(await namedBy(`Re: [T-${ticket.number}] A`)).toMatchObject({
    ...{ namedTicket: `T-${ticket.number}`, ticket: null, reason: "unknown_sender" },
  });
  expect([(await namedBy("[T-999999999] A")).namedTicket, (await namedBy("T-shirts")).namedTicket]).toEqual([
    null,
    null,
  ]);
  expect(await textsOf(base, ticket.id)).toEqual([]);
});

test("an administrator makes an organization of a mail, with its domain, and two tabs make one", async () => {
  const { base, avery } = world;
  const [from, name] = [`lee@maple-${strangers}.example`, `Maple Street ${strangers}`];
  const mail = await mailIn(base, { from, subject: "Scanner" });
  const fields = { name, domains: `maple-${strangers}.example` };
  const byTechnician = decide("new_organization", { id: mail.id, fields });
  await expect(byTechnician).rejects.toMatchObject({ status: 403 });
  const empty = await decide("new_organization", { id: mail.id, fields: { name: "" }, who: avery });
  expect([empty.status, await empty.json()]).toMatchObject([400, { errors: { name: expect.any(String) } }]);
  const sent = { id: mail.id, fields, who: avery };
  await Promise.all([1, 2].map(() => decide("new_organization", sent)));
  const made = await base.db.select().from(organizations).where(eq(organizations.name, name));
  expect(made).toHaveLength(1);
  const opened = await base.db
    .select()
    .from(tickets)
    .where(eq(tickets.organization_id, made[0]?.id ?? ""));
  expect(opened).toMatchObject([{ title: "Scanner", created_at: mail.received_at }]);
  expect(await base.db.select().from(contacts).where(eq(contacts.email, from))).toMatchObject([
    { organization_id: made[0]?.id },
  ]);
  expect(await mailIn(base, { from: `ann@maple-${strangers}.example` })).toMatchObject({ effect: "opened" });
});

test("the page offers the organizations that know the sender, and no ticket in the name of a colleague", async () => {
  const { base, here, there, ivy, avery } = world;
  const known = { id: base.newId("con"), organization_id: here.id, email: ivy.email, full_name: "Ivy", created_at: 0 };
  await base.db.insert(contacts).values(known);
  const headers = { "Auto-Submitted": "auto-replied" };
  const mail = await mailIn(base, { from: ivy.email, headers });
  const { choices } = await open(mail.id);
  expect(choices?.known.map(({ id }) => id).toSorted()).toEqual([here.id, there.id].toSorted());
  const colleague = await mailIn(base, { from: avery.email });
  expect((await open(colleague.id)).choices?.isNoPerson).toBe(true);
  const refused = await decide("new_ticket", { id: colleague.id, fields: { organization_id: here.id } });
  expect(refused.status).toBe(400);
});

test("the page of a colleague's held mail says why it cannot be sent, before it is tried", async () => {
  const { base, avery } = world;
  const ticket = await ticketOf();
  const refusalOf = async (mail: Parameters<typeof mailIn>[1]) =>
    (await open((await mailIn(base, mail)).id, avery)).reply;
  const from = avery.email;
  const forward = await refusalOf({ from, subject: `Fwd: [T-${ticket.number}] A`, text: "What do we say?" });
  const empty = await refusalOf({ from, subject: `Re: [T-${ticket.number}] A`, text: " " });
  expect([forward?.refusal, empty?.refusal]).toEqual([SENDING_ERRORS.could_show_note, SENDING_ERRORS.empty]);
});

test("the list leads to the sending of a colleague's reply only for whom may send it, and not of a forward", async () => {
  const { base, avery, sam } = world;
  const ticket = await ticketOf();
  const mail = (kind: string) =>
    mailIn(base, { from: avery.email, subject: `${kind}: [T-${ticket.number}] A`, text: "Switch it off." });
  const [reply, forward] = [await mail("Re"), await mail("Fwd")];
  const sendable = async (who: typeof sam) => {
    const { mails } = await listed("", who);
    return mails.filter(({ isSendable }) => isSendable).map(({ id }) => id);
  };
  expect([reply.reason, forward.reason]).toEqual(["staff_unproven", "staff_unproven"]);
  expect([await sendable(avery), await sendable(sam)]).toEqual([[reply.id], []]);
});

test("a colleague's held reply is sent by them or an administrator with the ticket in view, or discarded", async () => {
  const { base, dana, avery, sam } = world;
  const ticket = await ticketOf();
  const mail = (text: string) => mailIn(base, { from: avery.email, subject: `Re: [T-${ticket.number}] A`, text });
  const { id } = await mail("Switch it off and on.");
  const { mail: shown, reply } = await open(id);
  expect([shown.isOfStaff, shown.reason]).toEqual([true, "staff_unproven"]);
  expect(reply).toMatchObject({
    ...{ name: "Avery Quinn", reference: `T-${ticket.number}`, later: [], recipients: [] },
    ...{ organization: "Larkspur Row", requester: dana.fullName, status: "open" },
  });
  expect(reply?.refusal).toContain("administrator");
  const shownTo = async (who: typeof sam) => (await open(id, who)).reply?.recipients;
  expect(await shownTo(avery)).toMatchObject([{ id: dana.id, kind: "member" }]);
  const fields = { version: String(reply?.version) };
  const sendAs = (who: typeof sam, changed: Record<string, string>) =>
    decide("send_anyway", { id, fields: { ...fields, ...changed }, who });
  for (const [refused, errors] of [
    [await sendAs(sam, {}), { form: reply?.refusal }],
    [await sendAs(avery, { version: "99" }), {}],
    [await sendAs(avery, { version: "x" }), {}],
    [await sendAs(avery, { listed: dana.id, to: sam.id }), { to: SENDING_ERRORS.nobody_left }],
  ] as const)
    expect([refused.status, await refused.json()]).toMatchObject([400, { errors }]);
  expect(await textsOf(base, ticket.id)).toEqual([]);
  expect((await sendAs(avery, {})).headers.get("Location")).toBe("/admin/mail");
  expect(await textsOf(base, ticket.id)).toEqual(["Switch it off and on."]);
  expect((await sendAs(avery, {})).headers.get("Location")).toBe(`/admin/mail/${id}`);
  const useless = await mail("No.");
  expect(await send("discard", useless.id)).toBe(303);
  expect((await open(useless.id)).mail).toMatchObject({ state: "dropped", reason: "discarded", isUndecided: true });
  await expect(send("discard")).rejects.toMatchObject({ status: 404 });
});

test("on a ticket of a new person staff say that they are none of the organization, and of no other person", async () => {
  const { base, here, there } = world;
  const [from, domain] = [`kim@willow-${strangers}.example`, `willow-${strangers}.example`];
  await base.db.batch([
    base.db.insert(organizationDomains).values({ domain, organization_id: here.id, created_at: 0 }),
    base.db.update(organizations).set({ reviews_contacts: true }).where(eq(organizations.id, here.id)),
  ]);
  const ticket = await ticketRow(base, (await mailIn(base, { from })).ticket_id ?? "");
  const other = { id: base.newId("con"), organization_id: there.id, email: from, full_name: "Kim", created_at: 0 };
  await base.db.insert(contacts).values({ ...other, needs_review_at: 1 });
  const path = `/admin/tickets/T-${ticket.number}`;
  const refuse = (contact: string) =>
    ticketPage.send(staff(), path, "contact-refuse", { intent: "refuse_contact", contact });
  await expect(refuse(other.id)).rejects.toMatchObject({ status: 404 });
  expect((await refuse(ticket.contact_id ?? "")).headers.get("Location")).toBe(path);
  const known = await base.db.select().from(contacts).where(eq(contacts.email, from)).orderBy(contacts.created_at);
  expect(known).toMatchObject([
    { id: other.id, refused_at: null },
    { needs_review_at: null, refused_at: base.now() },
  ]);
});

test("a mail that is tried is shown with why, keeps its text, and one that is too large or none is refused", async () => {
  expect((await trial.open(staff())).status).toBe(200);
  const before = await world.base.db.select().from(inboundMail);
  const tried = async (mail: string) => {
    const response = await trial.send(staff(), "/admin/mail/try", "mail-try", { mail });
    return { status: response.status, body: await response.json() };
  };
  const text = `From: Lee <${stranger}>\r\nTo: support@wrenfield.example\r\nSubject: A\r\n\r\nIt blinks.\r\n`;
  expect(await tried(text)).toMatchObject({
    status: 200,
    body: { values: { mail: text }, tried: { facts: { state: "held", reason: "unknown_sender", class: "person" } } },
  });
  for (const wrong of ["", " ", text + "x".repeat(256 * 1024)])
    expect(await tried(wrong)).toMatchObject({ status: 400, body: { errors: { mail: expect.any(String) } } });
  expect(await world.base.db.select().from(inboundMail)).toEqual(before);
});

test("the ticket says to staff which of its messages came by mail, and how, and what of it is held; a client is told nothing of it", async () => {
  const { base, here, dana } = world;
  const opening = await mailIn(base, { from: dana.email, subject: "Scanner" });
  const ticket = await ticketRow(base, opening.ticket_id ?? "");
  const answer = await mailIn(base, { from: dana.email, to: replyAddress(base, ticket, dana.id), text: "Still." });
  const reference = `T-${ticket.number}`;
  const page = (ref: string, query = "") => ticketPage.read(staff(), `/admin/tickets/${ref}${query}`);
  const other = await ticketOf();
  const whole = async (ref: string, of: string) => (await page(ref, `?mail=${of}`)).mail?.whole;
  const { mail } = await page(reference);
  const from = `It came by mail from ${dana.email}. The sender is not checked.`;
  expect(mail?.origins).toMatchObject({
    [ticket.id]: { id: opening.id, isChecked: false, words: from },
    [answer.message_id ?? ""]: { id: answer.id, words: `${from} The ticket was found by the address it was sent to.` },
  });
  expect(mail?.held).toEqual([]);
  const copy = { id: base.newId("cpy"), organization_id: here.id, ticket_id: ticket.id, email: stranger, added_at: 1 };
  await base.db.insert(ticketCopies).values(copy);
  const waiting = await mailIn(base, { from: stranger, subject: `Re: [T-${ticket.number}] Scanner` });
  expect((await page(reference)).mail?.held).toEqual([
    { id: waiting.id, address: stranger, why: "The address is only in cc of the ticket." },
  ]);
  expect(await whole(reference, answer.id)).toEqual({ id: answer.id, text: "Still." });
  expect(await whole(`T-${other.number}`, answer.id)).toBeNull();
  await base.files.delete([answer.object_key]);
  expect(await whole(reference, answer.id)).toEqual({ id: answer.id, text: null });
  const client = derive(base, { signedIn: memberOf(base, dana, here, "member") });
  const theirs = pageAt("/client/tickets/:ticket", portalRoute);
  const shown = JSON.stringify(await theirs.read(client, `/client/tickets/${reference}`));
  expect(shown).toContain("Still.");
  for (const secret of [opening.id, answer.id, waiting.id, "origins"]) expect(shown).not.toContain(secret);
});

test("staff have each mail as it came, with the files that were not taken, and the download is on record", async () => {
  const { base, dana } = world;
  const ticket = await ticketOf();
  const mail = await mailIn(base, {
    from: dana.email,
    to: replyAddress(base, ticket, dana.id),
    files: [{ name: "winmail.dat", type: "application/ms-tnef", bytes: "packed" }],
  });
  const page = await ticketPage.read(staff(), `/admin/tickets/${ticket.id}`);
  expect(page.mail?.origins[mail.message_id ?? ""]?.missing).toContain("not taken: winmail.dat");
  const path = "/admin/exports/mail.eml";
  const original = (id: string) => pageAt(path, originalRoute).open(staff(), `${path}?mail=${id}`);
  const response = await original(mail.id);
  expect(response.headers.get("Content-Type")).toBe("application/octet-stream");
  expect(response.headers.get("Content-Disposition")).toContain(`attachment; filename="${mail.id}.eml"`);
  const text = await response.text();
  expect([text.length, text.includes(Buffer.from("packed").toString("base64"))]).toEqual([mail.size, true]);
  const events = await base.db.select().from(auditEvents).where(eq(auditEvents.action, "ticket.mail_downloaded"));
  expect(events).toMatchObject([{ actor_id: world.sam.id, subject_id: ticket.id }]);
  const taken = await Promise.all(Array.from({ length: 70 }, () => original(mail.id)));
  expect(taken.filter(({ status }) => status === 429)).toHaveLength(70 - 59);
  await base.db.delete(rateLimitAttempts).where(eq(rateLimitAttempts.attempt_type, "mail_files_user"));
  await base.files.delete([mail.object_key]);
  await expect(original(mail.id)).rejects.toMatchObject({ status: 404 });
});
