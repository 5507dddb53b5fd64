import { afterEach, beforeAll, expect, test } from "vitest";
import { settings } from "~/db/schema/site";
import { measureTickets } from "~/features/analytics/measure-tickets.server";
import { effectiveBrand } from "~/features/settings/queries.server";
import { countPromises, repairPublishedSettings } from "~/jobs/schedule";
import { loader as analytics } from "~/routes/_admin.admin.analytics._index";
import { loader } from "~/routes/_site.promise";
import { type TestContext, testContext } from "../support/context";
import { tellingWorld } from "../support/counted-tickets";
import { args, get } from "../support/requests";
import { settingsForm } from "../support/settings";

type World = Awaited<ReturnType<typeof tellingWorld>>;

let world: World;
let staff: TestContext;

const open = async (ctx: TestContext) => {
  const response = await loader(args(ctx, get("/promise")));
  return { status: response.status, ...(await response.json()) };
};

/** Returns the context of a visitor at that time of November 20, after the owner has switched the page on. */
async function switchedOn(at: string): Promise<TestContext> {
  const { send } = await settingsForm("promises");
  expect((await send({ show_promises: "on" })).status).toBe(303);
  world.set(`20 ${at}`);
  return world.staff(world.sam).ctx;
}

beforeAll(async () => {
  world = await tellingWorld();
  staff = world.staff(world.sam).ctx;
  const answered = await world.opens("18 09:00", world.dana, "high");
  await world.replies("18 10:00", answered);
  await world.opens("18 09:30", world.ivy, "high");
  await world.judges("19 14:01");
  for (let index = 0; index < 27; index += 1)
    await world.opens(`20 ${12 + Math.floor(index / 15)}:05`, world.dana, "medium");
  await measureTickets(world.base);
});

afterEach(async () => {
  await testContext().db.delete(settings);
});

test("the page is not there until its owner switches it on, and of 29 tickets it shows no number", async () => {
  expect(await open(staff)).toMatchObject({ status: 404, isOff: true, promises: null });
  const ctx = await switchedOn("14:10");
  expect(await open(ctx)).toEqual({ status: 404, isOff: false, promises: null });
  // Other pages lead there only once there is something to see.
  expect([await countPromises(ctx), (await effectiveBrand(ctx)).content.linksPromises]).toEqual([{ count: 0 }, false]);
});

test("from 30 tickets on it says what the analytics say, the missed ones too, and its weeks add up to that", async () => {
  await world.opens("20 15:05", world.dana, "medium");
  await measureTickets(world.base);
  const ctx = await switchedOn("15:10");
  const isLinked = async () => (await effectiveBrand(ctx)).content.linksPromises;
  expect([await isLinked(), await countPromises(ctx), await countPromises(ctx)]).toEqual([
    false,
    { count: 1 },
    { count: 0 },
  ]);
  await repairPublishedSettings(ctx);
  expect(await isLinked()).toBe(true);
  const { status, promises } = await open(ctx);
  const { analytics: counted } = await (await analytics(args(ctx, get("/admin/analytics?range=90"), {}))).json();
  expect(status).toBe(200);
  expect(counted?.metrics).toMatchObject(JSON.parse(JSON.stringify({ ...promises, weeks: undefined })));
  expect(promises).toMatchObject({ created: 30, promises: { kept: 1, missed: 1 } });
  // Whoever asks for the page's data gets no more than it shows.
  expect(JSON.stringify(promises)).not.toMatch(/satisfaction|backlog|reopened|resol/);
  const sum = (of: "kept" | "missed") => promises?.weeks.reduce((all, week) => all + week[of], 0);
  expect([sum("kept"), sum("missed"), promises?.weeks.length]).toEqual([1, 1, 13]);
});
