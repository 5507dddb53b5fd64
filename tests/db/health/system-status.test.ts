import { expect, test, vi } from "vitest";
import { getSystemStatus } from "~/features/health/system-status.server";
import { dispatch } from "~/jobs/dispatch.server";
import { minutes } from "~/lib/time";
import { testContext } from "../../support/context";

test("nobody knows how the stores are before they have been probed, and nobody says they are well", async () => {
  const ctx = testContext();
  expect(await getSystemStatus(ctx)).toMatchObject({ operational: false });
});

test("after a minute's run all systems are operational, and looking costs one round trip and no write", async () => {
  const ctx = testContext();
  await dispatch(ctx);
  Object.assign(ctx.cost, { trips: 0, rowsWritten: 0 });
  expect(await getSystemStatus(ctx)).toEqual({ operational: true, problems: [] });
  expect(ctx.cost).toMatchObject({ trips: 1, rowsWritten: 0 });
});

test("a file store that does not answer is a problem from the sixth minute on, and none again after it came back", async () => {
  const ctx = testContext();
  const get = ctx.files.get;
  ctx.clock.advance(minutes(60));
  await dispatch(ctx);
  ctx.files.get = vi.fn().mockRejectedValue(new Error("R2Error: internal error"));
  for (let minute = 0; minute < 6; minute += 1) {
    ctx.clock.advance(minutes(1));
    await dispatch(ctx);
  }
  expect((await getSystemStatus(ctx)).problems).toEqual(["The file store has not answered for five minutes"]);
  ctx.files.get = get;
  ctx.clock.advance(minutes(1));
  await dispatch(ctx);
  expect((await getSystemStatus(ctx)).operational).toBe(true);
});

test("a probe that has stopped coming is a problem, because nobody knows", async () => {
  const ctx = testContext();
  ctx.clock.advance(minutes(120));
  await dispatch(ctx);
  ctx.clock.advance(minutes(6));
  expect((await getSystemStatus(ctx)).problems).toContain("The database has not taken a change for five minutes");
});

test("a database that does not answer is told, not thrown", async () => {
  const ctx = testContext();
  const broken = () => {
    throw new Error("D1_ERROR: Network connection lost.");
  };
  ctx.db = Object.assign(Object.create(ctx.db) as typeof ctx.db, { select: broken });
  expect((await getSystemStatus(ctx)).operational).toBe(false);
});
