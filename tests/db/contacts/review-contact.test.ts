import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { inboundMail } from "~/db/schema/inbound-mail";
import { organizationDomains, organizations } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { reviewContact } from "~/features/contacts/commands.server";
import { listContacts } from "~/features/contacts/queries.server";
import { placeMail } from "~/features/inbound-mail/commands.server";
import { findTicketForStaff } from "~/features/tickets/queries.server";
import { addDomain, ccOf, contactsWith } from "../../support/contacts";
import { clearMail, mailIn, tokenOf } from "../../support/inbound-mail";
import { ticketRow, ticketWorld } from "../../support/tickets";

let world: Awaited<ReturnType<typeof ticketWorld>>;
let people = 0;
let email = "";

beforeEach(async () => {
  people += 1;
  email = `lee-${people}@review.example`;
  world = await ticketWorld();
  const { base, here } = world;
  await clearMail(base);
  await base.db.delete(organizationDomains);
  await addDomain(base, here.id, "review.example");
  await base.db.update(organizations).set({ reviews_contacts: true }).where(eq(organizations.id, here.id));
});

const write = (changes: Partial<Parameters<typeof mailIn>[1]> = {}) =>
  mailIn(world.base, { from: `Lee Moss <${email}>`, ...changes });

const contactRow = async () => (await contactsWith(world.base, email))[0];

async function review(isOurs: boolean, { nonce = "n", organizationId = world.here.id } = {}) {
  const { ctx, actor } = world.staff(world.sam);
  return reviewContact(ctx, actor, { contactId: (await contactRow())?.id ?? "", organizationId, isOurs, nonce });
}

test("whom a first mail makes a contact is new where the organization wants it, and only there", async () => {
  const { base, here } = world;
  const mail = await write();
  expect(mail).toMatchObject({ state: "processed", effect: "opened" });
  expect(await contactRow()).toMatchObject({ needs_review_at: base.now(), refused_at: null });
  expect((await listContacts(base.db, here.id)).contacts).toMatchObject([{ email, needsReview: true }]);
  const ticket = await findTicketForStaff(base.db, mail.ticket_id ?? "");
  expect(ticket?.contact).toMatchObject({ needsReview: true, isRefused: false });
  await base.db.update(organizations).set({ reviews_contacts: false }).where(eq(organizations.id, here.id));
  await write({ from: `ann-${people}@review.example` });
  expect(await contactsWith(base, `ann-${people}@review.example`)).toMatchObject([{ needs_review_at: null }]);
});

test("a contact that is confirmed goes on as before, and is confirmed once", async () => {
  const { base, there, sam } = world;
  await write();
  expect(await review(true, { organizationId: there.id })).toEqual({ ok: false, code: "contact_not_found" });
  expect(await contactRow()).toMatchObject({ needs_review_at: expect.any(Number) });
  expect(await review(true)).toMatchObject({ ok: true });
  expect(await review(true)).toMatchObject({ ok: true });
  expect(await contactRow()).toMatchObject({ needs_review_at: null, refused_at: null });
  const isConfirmed = sql`action = 'organization.contact_confirmed' AND subject_id = ${world.here.id}`;
  expect(await base.db.select().from(auditEvents).where(isConfirmed)).toMatchObject([
    { actor_id: sam.id, meta_json: JSON.stringify({ person: "l…@review.example" }) },
  ]);
  expect(await write({ subject: "Another" })).toMatchObject({ state: "processed", effect: "opened" });
});

test("no ticket is mailed any more to whom staff refuse, and what they write by any way is held", async () => {
  const { base, here, avery, staff } = world;
  const mail = await write();
  const ticket = await ticketRow(base, mail.ticket_id ?? "");
  const [copy] = await ccOf(base, ticket.id);
  expect(copy).toMatchObject({ email, contact_id: ticket.contact_id });
  const reply = (text: string) => staff(avery).reply(ticket.id, { text });
  await reply("Please restart it.");
  const waiting = async () =>
    (await base.db.select().from(outbox)).filter(({ copy_id: id, status }) => id === copy?.id && status === "pending");
  expect(await waiting()).not.toEqual([]);
  expect(await review(false)).toMatchObject({ ok: true });
  expect(await waiting()).toEqual([]);
  expect(await ccOf(base, ticket.id)).toMatchObject([{ removed_at: base.now(), contact_id: null }]);
  const before = (await base.db.select().from(outbox)).length;
  await reply("Did it help?");
  const later = (await base.db.select().from(outbox)).slice(before);
  expect(later.filter(({ copy_id: id }) => id !== null)).toEqual([]);
  expect((await listContacts(base.db, here.id)).contacts).toEqual([]);
  expect((await findTicketForStaff(base.db, ticket.id))?.contact).toMatchObject({ isRefused: true });
  const token = tokenOf(base, ticket, copy?.id ?? "");
  const ways = [
    { subject: "Something new" },
    { subject: `Re: [T-${ticket.number}] Printer` },
    { headers: { References: `<${token}@wrenfield.example>` } },
    { to: `support+${token}@wrenfield.example` },
  ];
  for (const way of ways) expect((await write(way)).state).toBe("held");
  expect((await write({ subject: "New" })).reason).toBe("refused_contact");
});

test("two colleagues who decide otherwise at once: the first counts, and the other learns it", async () => {
  await write();
  const results = await Promise.all([review(true, { nonce: "a" }), review(false, { nonce: "b" })]);
  expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  expect(results.find(({ ok }) => !ok)).toEqual({ ok: false, code: "decided" });
  const row = await contactRow();
  expect([row?.needs_review_at, row?.refused_at === null]).toEqual([null, results[0]?.ok]);
});

test("a mail that is read while its sender is refused opens nothing", async () => {
  const { base, here } = world;
  await write();
  const [, mail] = await Promise.all([review(false), write({ subject: "At once" })]);
  const [row] = await base.db.select().from(inboundMail).where(eq(inboundMail.id, mail.id));
  // It came before the refusal, or is held.
  expect(["processed", "held"]).toContain(row?.state);
  expect(await contactRow()).toMatchObject({ organization_id: here.id, refused_at: expect.any(Number) });
  expect(await write({ subject: "After" })).toMatchObject({ state: "held", reason: "refused_contact" });
});

test.each(["ticket", "organization"] as const)("staff take back a refusal when they put a mail on a %s", async (to) => {
  const { base, here, sam, staff } = world;
  const first = await write();
  await review(false);
  const held = await write({ subject: "It is me" });
  expect(held.reason).toBe("refused_contact");
  const { ctx, actor } = staff(sam);
  const { number } = await ticketRow(base, first.ticket_id ?? "");
  const destination = to === "ticket" ? { ticket: `T-${number}` } : { organizationId: here.id };
  expect(await placeMail(ctx, actor, { mailId: held.id, destination })).toMatchObject({ ok: true });
  expect(await contactRow()).toMatchObject({ needs_review_at: null, refused_at: null });
  expect(await contactsWith(base, email)).toHaveLength(1);
  expect(await write({ subject: "Thanks" })).toMatchObject({ state: "processed" });
});
