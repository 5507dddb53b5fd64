import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { proposedCopies } from "~/db/schema/ticket-work";
import { ticketPeople, tickets } from "~/db/schema/tickets";
import { placeMail } from "~/features/inbound-mail/commands.server";
import { erasePerson } from "~/features/privacy/erase-person.server";
import { findPeople } from "~/features/privacy/queries.server";
import { addCc } from "~/features/tickets/cc/actions.server";
import { listCc, listProposedCc } from "~/features/tickets/cc/queries.server";
import { setPrivacy } from "~/features/tickets/commands.server";
import { listPeople } from "~/features/tickets/queries.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_admin.admin.tickets.$ticket";
import { flash } from "../../support/admin-area";
import { addDomain, ccOf, makeCc } from "../../support/contacts";
import { as } from "../../support/factories";
import { clearMail, mailIn, replyAddress } from "../../support/inbound-mail";
import { args, get, post } from "../../support/requests";
import { makeTicket, ticketWorld } from "../../support/tickets";

let count = 0;

async function world() {
  const found = await ticketWorld();
  const { base: ctx, here, dana } = found;
  await clearMail(ctx);
  const ticket = await makeTicket(ctx, { organizationId: here.id, createdBy: dana });
  count += 1;
  const vendor = `vendor${count}@imaging.example`;
  const write = (headers: Record<string, string | undefined>) =>
    mailIn(ctx, { from: dana.email, to: replyAddress(ctx, ticket, dana.id), headers });
  const proposed = async (ticketId = ticket.id) => (await listProposedCc(ctx.db, ticketId)).map(({ email }) => email);
  const path = `/admin/tickets/T-${ticket.number}`;
  const params = { ticket: `T-${ticket.number}` };
  const staff = as(ctx, found.sam);
  const press = async (intent: string, proposal: string) => {
    const form = { intent, proposal, form_token: issueFormToken(staff, "ticket-copies") };
    return action(args(staff, post(path, form), params));
  };
  const page = async () => (await loader(args(staff, get(path), params))).json();
  return { ...found, staffOf: found.staff, ctx, ticket, vendor, write, proposed, press, page, staff };
}

test("an address to which a client has also written is proposed with who wrote it, and gets nothing before staff add it", async () => {
  const { ctx, ticket, vendor, write, page, press, staff } = await world();
  await write({ Cc: `Vendor <${vendor.toUpperCase()}>` });
  const { proposedCc } = await page();
  expect(proposedCc).toMatchObject([{ email: vendor, by: "Dana Ortiz" }]);
  expect(await ccOf(ctx, ticket.id)).toEqual([]);
  const [{ id = "" } = {}] = proposedCc;
  expect((await press("add_proposed", id)).status).toBe(303);
  expect(flash(staff)).toBe("Address Added: It gets a mail that says so.");
  expect((await listCc(ctx.db, ticket.id)).map(({ email }) => email)).toEqual([vendor]);
  expect((await page()).proposedCc).toEqual([]);
  // A second press, and a second mail, find it done.
  expect((await press("add_proposed", id)).status).toBe(303);
  await write({ Cc: vendor });
  expect((await page()).proposedCc).toEqual([]);
});

test("an address that was ignored is not proposed again, and one of another ticket cannot be ignored here", async () => {
  const { ctx, here, dana, ticket, vendor, write, page, press, proposed } = await world();
  await write({ Cc: vendor });
  const [{ id = "" } = {}] = (await page()).proposedCc;
  await ctx.db.insert(proposedCopies).values({
    ...{ id: "ccp_other", organization_id: here.id, email: vendor, proposed_at: 1 },
    ticket_id: (await makeTicket(ctx, { organizationId: here.id, createdBy: dana })).id,
  });
  await press("ignore_proposed", "ccp_other");
  const [other] = await ctx.db.select().from(proposedCopies).where(eq(proposedCopies.id, "ccp_other"));
  expect(other?.ignored_at).toBeNull();
  const ignored = async () =>
    (await ctx.db.select().from(auditEvents).where(sql`action = 'ticket.copy_ignored' AND subject_id = ${ticket.id}`))
      .length;
  expect(await ignored()).toBe(0);
  await Promise.all([press("ignore_proposed", id), press("ignore_proposed", id)]);
  expect((await press("ignore_proposed", id)).status).toBe(303);
  expect(await ignored()).toBe(1);
  expect(await proposed()).toEqual([]);
  await write({ Cc: vendor });
  expect(await proposed()).toEqual([]);
});

test("neither ours nor staff nor who is on the ticket is proposed; a member of the organization is, and is added as a person", async () => {
  const { ctx, ticket, sam, omar, dana, vendor, write, page, press } = await world();
  const editor = { side: "staff", by: { userId: sam.id, fullName: sam.fullName, side: "staff" } } as const;
  await addCc(as(ctx, sam), editor, { ticketId: ticket.id, email: vendor, nonce: "a" });
  const named = [sam.email, dana.email, vendor, "support@wrenfield.example", "no-reply@imaging.example", "nonsense"];
  await write({ To: [replyAddress(ctx, ticket, dana.id), ...named].join(", "), Cc: omar.email });
  const { proposedCc } = await page();
  expect(proposedCc.map(({ email }) => email)).toEqual([omar.email]);
  await press("add_proposed", proposedCc[0]?.id ?? "");
  expect(await listPeople(ctx.db, ticket.id)).toEqual([{ id: omar.id, name: "Omar Reyes" }]);
  expect((await page()).proposedCc).toEqual([]);
});

test("one mail proposes ten addresses at most, a hundred mails a bounded number, and a first mail does so too", async () => {
  const { ctx, here, proposed, write } = await world();
  const many = (from: number) => Array.from({ length: 40 }, (_, index) => `n${from + index}@many.example`).join(", ");
  await write({ Cc: many(0) });
  expect(await proposed()).toHaveLength(10);
  for (let from = 100; from < 700; from += 100) await write({ Cc: many(from) });
  expect((await proposed()).length).toBeLessThanOrEqual(50);
  await addDomain(ctx, here.id, `new${count}.example`);
  const first = await mailIn(ctx, { from: `ann@new${count}.example`, headers: { Cc: "boss@elsewhere.example" } });
  expect(await proposed(first.ticket_id ?? "")).toEqual(["boss@elsewhere.example"]);
});

test("a private ticket has no proposals, and one that becomes private loses them; what a machine sends proposes nothing", async () => {
  const { ctx, ticket, vendor, write, proposed, client, dana, here } = await world();
  await write({ Cc: vendor, "Auto-Submitted": "auto-generated" });
  expect(await proposed()).toEqual([]);
  await write({ Cc: vendor });
  const own = client(dana, here, "owner");
  expect((await setPrivacy(own.ctx, own.actor, { ticketId: ticket.id, isPrivate: true, nonce: "p" })).ok).toBe(true);
  expect(await proposed()).toEqual([]);
  await ctx.db.update(tickets).set({ is_private: true }).where(eq(tickets.id, ticket.id));
  await write({ Cc: vendor });
  expect(await proposed()).toEqual([]);
});

test("somebody who is only proposed is found and erased by their address", async () => {
  const { ctx, vendor, write, avery, staffOf } = await world();
  await write({ Cc: vendor });
  const [found] = await findPeople(ctx.db, vendor);
  expect(found).toMatchObject({ userId: null, email: vendor });
  const { ctx: own, actor } = staffOf(avery);
  expect((await erasePerson(own, actor, { personId: found?.id ?? "", nonce: "e" })).ok).toBe(true);
  await ctx.settle();
  expect(await ctx.db.all(sql`SELECT * FROM proposed_copies WHERE email = ${vendor}`)).toEqual([]);
});

test("an address that comes onto the ticket otherwise is proposed no more", async () => {
  const { ctx, here, omar, sam, ticket, vendor, write, press, proposed, staffOf } = await world();
  await write({ Cc: `${vendor}, ${omar.email}` });
  const proposals = await listProposedCc(ctx.db, ticket.id);
  expect(proposals.map(({ email }) => email).toSorted()).toEqual([vendor, omar.email].toSorted());
  // As if they had been added before proposals were ended.
  await makeCc(ctx, ticket.id, vendor);
  const person = { organization_id: here.id, ticket_id: ticket.id, user_id: omar.id, added_at: 1 };
  await ctx.db.insert(ticketPeople).values(person);
  for (const { id } of proposals) expect((await press("add_proposed", id)).status).toBe(303);
  expect(await proposed()).toEqual([]);
  const held = await mailIn(ctx, { from: `second-${vendor}` });
  await write({ Cc: `second-${vendor}` });
  expect(await proposed()).toEqual([`second-${vendor}`]);
  const { ctx: ofSam, actor } = staffOf(sam);
  const placed = await placeMail(ofSam, actor, { mailId: held.id, destination: { ticket: ticket.id } });
  expect(placed).toMatchObject({ ok: true });
  expect(await proposed()).toEqual([]);
});
