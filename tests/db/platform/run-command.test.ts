import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { expectThat } from "~/db/client.server";
import { settings } from "~/db/schema/site";
import { fail, ok } from "~/lib/errors";
import { seconds } from "~/lib/time";
import { NotNow, runCommand } from "~/platform/run-command.server";
import { testContext } from "../../support/context";
import { interruptedBeforeCommit } from "../../support/interrupted-commit";

const key = () => crypto.randomUUID();

/** Stores a number that commands change, as a setting. */
async function storedNumber() {
  const ctx = testContext();
  const name = `number-${key()}`;
  await ctx.db.insert(settings).values({ key: name, value_json: "0", updated_at: 1 });
  const value = sql`(SELECT CAST(value_json AS INTEGER) FROM settings WHERE key = ${name})`;
  const read = async () => (await ctx.db.get<{ value: number }>(sql`SELECT ${value} AS value`)).value;
  const write = (to: number) =>
    ctx.db
      .update(settings)
      .set({ value_json: String(to) })
      .where(sql`key = ${name}`);
  return { ctx, value, read, write };
}

test("the same form posted at once, and again later, is done once and leads to one result", async () => {
  const { ctx, read, write } = await storedNumber();
  const form = { scope: "test", key: key() };
  const add = (resultId: string) =>
    runCommand(ctx, form, { read, plan: (found) => ok({ resultId, statements: [write(found + 1)] }) });
  const results = await Promise.all([add("one"), add("two")]);
  expect(results[0]).toEqual(results[1]);
  expect(await add("three")).toEqual(results[0]);
  expect(await read()).toBe(1);
});

test("who is slower than somebody else plans again by what is stored then, so that no change is lost", async () => {
  const { ctx, value, read, write } = await storedNumber();
  const form = () => ({ scope: "test", key: key() });
  const plan = (found: number) =>
    ok({ resultId: "", statements: [expectThat(ctx.db, sql`${value} = ${found}`), write(found + 1)] });
  const add = () => runCommand(ctx, form(), { read, plan });
  expect((await Promise.all(Array.from({ length: 8 }, add))).every((result) => result.ok)).toBe(true);
  expect(await read()).toBe(8);
});

test("what must be true when the batch runs is answered with its code, and nothing is written", async () => {
  const { ctx, value, read, write } = await storedNumber();
  const expects = [
    { that: sql`${value} = 0`, otherwise: "first" as const },
    { that: sql`${value} = 5`, otherwise: "second" as const },
  ];
  const plan = () => ok({ resultId: "", expects, statements: [write(9)] });
  const form = { scope: "test", key: key() };
  const result = await runCommand<number, "first" | "second">(ctx, form, { read, plan });
  expect(result).toEqual(fail("second"));
  expect(await read()).toBe(0);
});

test("a batch that can never be written pauses between its tries, and ends after a second with the wish to try again", async () => {
  const { ctx, read, write } = await storedNumber();
  const paused = vi.mocked(scheduler.wait);
  paused.mockClear();
  let tries = 0;
  const slowRead = () => {
    tries += 1;
    ctx.clock.advance(tries === 1 ? 0 : 100);
    return read();
  };
  const plan = () => ok({ resultId: "", statements: [expectThat(ctx.db, sql`0`), write(9)] });
  const never = runCommand(ctx, { scope: "test", key: key() }, { read: slowRead, plan });
  await expect(never).rejects.toBeInstanceOf(NotNow);
  expect([tries, await read()]).toEqual([11, 0]);
  const pauses = paused.mock.calls.map(([time]) => time);
  expect(pauses).toHaveLength(10);
  // Up to 40 ms at first, then longer ones, of a random length.
  for (const [index, pause] of pauses.entries()) expect(pause).toBeLessThanOrEqual(Math.min(250, 40 * 2 ** index));
  expect(new Set(pauses).size).toBeGreaterThan(1);
});

test("a choice may be made again with one form; a late post of it does not undo what somebody has chosen since", async () => {
  const { ctx, read, write } = await storedNumber();
  const form = { scope: "test", key: key() };
  const choose = (to: number) =>
    runCommand(
      ctx,
      { ...form, choice: String(to) },
      {
        read,
        plan: (found) => ok({ resultId: "", statements: found === to ? undefined : [write(to)] }),
      },
    );
  expect([await choose(1), await choose(2), await choose(1)]).toEqual([ok(""), ok(""), ok("")]);
  expect(await read()).toBe(1);
  await write(7);
  expect(await choose(1)).toEqual(fail("changed_since"));
  expect(await read()).toBe(7);
});

for (const choice of [undefined, "7"])
  test(`a form that ${choice ? "sets something" : "is done once"}, was slow and lost to its own second post is not asked to be sent again`, async () => {
    const { ctx, read, write } = await storedNumber();
    const form = { scope: "test", key: key(), choice };
    const post = (by: typeof ctx) =>
      runCommand(by, form, {
        read,
        plan: (found) => ok({ resultId: "seven", statements: found === 7 ? undefined : [write(7)] }),
      });
    const slow = interruptedBeforeCommit(ctx, async () => {
      expect(await post(ctx)).toEqual(ok("seven"));
      ctx.clock.advance(seconds(5));
    });
    expect(await post(slow)).toEqual(ok("seven"));
  });
