import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { plans } from "~/content/plans-and-prices";
import { measureTickets } from "~/features/analytics/measure-tickets.server";
import { gatherLetterMetrics, withPresent } from "~/features/letters/draft-letters.server";
import { planNamesOf } from "~/features/settings/model";
import { tellingWorld } from "../../support/counted-tickets";

test("a reply that came meanwhile is in the draft, with why it was late, whatever else is found to have been missed in the month", async () => {
  const world = await tellingWorld();
  const { base, here, there, dana } = world;
  const late = await world.opens("18 17:00", dana, "urgent");
  await world.judges("19 09:01");
  await measureTickets(base);
  const organization = { ...here, number: 1, name: "Larkspur Row", plan: "core" as const };
  const unused = { contractStartedAt: null, people: 1, withoutSecondFactor: 0 };
  const draft = await gatherLetterMetrics(
    base.db,
    { ...organization, ...unused },
    { month: "2026-11", zone: "America/Chicago", planNames: planNamesOf(plans) },
  );
  expect(draft.misses).toMatchObject([{ answeredAt: null, explained: null }]);
  const explained = "Our rota had a gap at noon.";
  await world.replies("19 09:45", late, explained);
  // In time with the next promise: there is nothing to explain.
  await world.replies("19 09:46", late, "It was not.");
  await base.db.run(sql`
    INSERT INTO ticket_metrics(ticket_id, organization_id, kind, day, at, priority, detail)
    SELECT ticket_id, organization_id, kind, '2026-11-02', at - 1, priority, detail
    FROM ticket_metrics CROSS JOIN json_each('[1,2,3,4,5,6,7,8,9,10,11,12]') WHERE kind = 'missed'`);
  const answeredAt = Date.parse("2026-11-19T15:45:00Z");
  expect((await withPresent(base.db, here.id, draft)).misses).toEqual([{ ...draft.misses[0], answeredAt, explained }]);
  // Of a ticket that has left the organization nothing more is told.
  expect((await withPresent(base.db, there.id, draft)).misses).toEqual(draft.misses);
});
