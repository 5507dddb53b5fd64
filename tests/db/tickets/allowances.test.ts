import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { organizations } from "~/db/schema/organizations";
import type { OrganizationPlan } from "~/features/organizations/model";
import { recordVisit, reverseAllowance } from "~/features/tickets/allowances/actions.server";
import {
  allowanceYears,
  countUses,
  listAllowanceEntries,
  readUses,
  usesInWords,
} from "~/features/tickets/allowances/ledger.server";
import { moveToOrganization } from "~/features/tickets/commands.server";
import { contractYearOf } from "~/features/tickets/model";
import { fail, ok } from "~/lib/errors";
import { historyOf, makeTicket, valueOf, worldWithTicket } from "../../support/tickets";

const zone = "America/Chicago";
const FRIDAY_NIGHT = Date.parse("2026-11-20T19:30-06:00");
const STARTED = Date.parse("2026-02-01T12:00-06:00");
const nonce = () => crypto.randomUUID();

async function customer(plan: OrganizationPlan) {
  const world = await worldWithTicket();
  const { base, here, sam, ticket } = world;
  base.clock.set(FRIDAY_NIGHT);
  await base.db.update(organizations).set({ plan, contract_started_at: STARTED }).where(eq(organizations.id, here.id));
  const { ctx, by } = world.staff(sam);
  const used = async () => {
    const year = contractYearOf({ contractStartedAt: STARTED, zone }, base.now());
    return usesInWords({ plan }, await countUses(base.db, here.id), year).map((each) => each.used);
  };
  const entries = (ticketId = ticket.id) => listAllowanceEntries(base.db, { organizationId: here.id, ticketId });
  const openUrgent = async () =>
    valueOf(await world.client(world.dana).open({ priority: "urgent", impact: "All of us" })).id;
  return { ...world, ctx, by, used, entries, openUrgent };
}

test("visits and incidents count against the plan, and one posted twice counts once", async () => {
  const { ctx, by, ticket, used, entries, openUrgent } = await customer("core");
  const key = nonce();
  await Promise.all(Array.from({ length: 5 }, () => recordVisit(ctx, by, { ticketId: ticket.id, nonce: key })));
  await recordVisit(ctx, by, { ticketId: ticket.id, nonce: nonce() });
  const urgent = await openUrgent();
  expect(await used()).toEqual(["1 of 5 used", "2 of 16 used"]);
  expect(await entries(urgent)).toMatchObject([{ kind: "after_hours", actorName: "Dana Ortiz" }]);
  expect(await entries()).toMatchObject([{ actorName: "Sam Lee" }, { actorName: "Sam Lee" }]);
});

test("an entry that is taken back does not count, says why, and cannot be taken back from another ticket", async () => {
  const { base, ctx, by, here, dana, ticket, used, entries } = await customer("core");
  await recordVisit(ctx, by, { ticketId: ticket.id, nonce: nonce() });
  const [entry] = await entries();
  const other = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const reversal = { ticketId: ticket.id, entryId: entry?.id ?? "", reason: "We had forgotten a cable" };
  expect(await reverseAllowance(ctx, by, { ...reversal, ticketId: other.id, nonce: nonce() })).toEqual(
    fail("entry_not_found"),
  );
  const results = await Promise.all([1, 2, 3].map(() => reverseAllowance(ctx, by, { ...reversal, nonce: nonce() })));
  expect(results).toEqual([ok(ticket.id), ok(ticket.id), ok(ticket.id)]);
  expect(await used()).toEqual(["0 of 5 used", "0 of 16 used"]);
  expect(await historyOf(base, ticket.id)).toEqual([
    ["allowance_used", "onsite", null, "Sam Lee"],
    ["allowance_reversed", "onsite", null, "Sam Lee"],
  ]);
});

test("an incident that staff have given back is not given back again when its ticket moves", async () => {
  const { base, ctx, by, there, entries, openUrgent } = await customer("core");
  const ticketId = await openUrgent();
  const [entry] = await entries(ticketId);
  await reverseAllowance(ctx, by, { ticketId, entryId: entry?.id ?? "", reason: "A test alarm", nonce: nonce() });
  await moveToOrganization(ctx, by, { ticketId, organizationId: there.id, nonce: nonce() });
  const kinds = (await historyOf(base, ticketId)).map((line) => (line as string[])[0]);
  expect(kinds).toEqual(["opened", "allowance_used", "allowance_reversed", "moved"]);
});

test("with a new contract year the count begins again", async () => {
  const { base, ctx, by, ticket, used } = await customer("core");
  await recordVisit(ctx, by, { ticketId: ticket.id, nonce: nonce() });
  base.clock.set(Date.parse("2027-01-31T23:59-06:00"));
  expect((await used())[1]).toBe("1 of 16 used");
  base.clock.set(Date.parse("2027-02-01T00:00-06:00"));
  expect((await used())[1]).toBe("0 of 16 used");
});

test.each([
  ["2025-06-02T09:00-05:00", "2026-06-01T23:59-05:00", "2025-06-02"],
  ["2025-06-02T09:00-05:00", "2026-06-02T00:00-05:00", "2026-06-02"],
  ["2024-02-29T09:00-06:00", "2026-02-28T12:00-06:00", "2025-03-01"],
  ["2024-02-29T09:00-06:00", "2028-02-29T00:00-06:00", "2028-02-29"],
  [null, "2026-12-31T23:59-06:00", "2026-01-01"],
])("the contract year of %s at %s began on %s", (start, at, year) => {
  const contractStartedAt = start === null ? null : Date.parse(start);
  expect(contractYearOf({ contractStartedAt, zone }, Date.parse(at))).toBe(year);
});

test("a client reads what of the contract year is used, and of a ticket that they may not see only that it was one", async () => {
  const { base, ctx, by, here, dana, omar, ticket, entries } = await customer("core");
  const own = { userId: dana.id, organizationId: here.id, role: "member" } as const;
  await recordVisit(ctx, by, { ticketId: ticket.id, nonce: nonce() });
  await base.db.update(organizations).set({ visibility: "own" }).where(eq(organizations.id, here.id));
  const contract = { plan: "core", contractStartedAt: STARTED } as const;
  const at = { zone, now: base.now() };
  const readBy = async (userId: string) =>
    allowanceYears(contract, await readUses(base.db, { ...own, userId }, at), at).map(({ used, perYear, uses }) => [
      ...[used, perYear],
      ...uses.map((use) => [use.ticket, use.person]),
    ]);
  expect(await readBy(dana.id)).toEqual([
    [0, 5],
    [1, 16, [ticket.number, "Sam Lee"]],
  ]);
  expect(await readBy(omar.id)).toEqual([
    [0, 5],
    [1, 16, [null, null]],
  ]);
  const [entry] = await entries();
  const reversal = { ticketId: ticket.id, entryId: entry?.id ?? "", reason: "Dana's badge" };
  await reverseAllowance(ctx, by, { ...reversal, nonce: nonce() });
  const reversals = async (userId: string) =>
    (await readUses(base.db, { ...own, userId }, at)).map((use) => use.reversal);
  expect([await reversals(dana.id), await reversals(omar.id)]).toEqual([["Dana's badge"], [""]]);
  const nextYear = { zone, now: Date.parse("2027-02-01T12:00-06:00") };
  const uses = await readUses(base.db, own, nextYear);
  expect(allowanceYears(contract, uses, nextYear).map(({ used }) => used)).toEqual([0, 0]);
});
