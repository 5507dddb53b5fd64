import { expect, test } from "vitest";
import { jobs } from "~/db/schema/infrastructure";
import { STORE_CHECK } from "~/features/health/system-status.server";
import { loader as dashboard } from "~/routes/_admin.admin._index";
import { loader } from "~/routes/_admin.admin.settings";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { args, get, thrownBy } from "../support/requests";

const read = async (ctx: TestContext) => (await loader(args(ctx, get("/admin/settings?tab=advanced")))).json();
const stateOf = (checks: { name: string; state: string }[]) =>
  Object.fromEntries(checks.map(({ name, state }) => [name, state]));

/** Stores the row of the job that runs each minute. */
async function storesWereChecked(ctx: TestContext, { ok }: { ok: boolean }) {
  const found = { last_start: ctx.now(), last_ok: ok ? ctx.now() : null, next_due: ctx.now() };
  await ctx.db
    .insert(jobs)
    .values({ name: STORE_CHECK, ...found })
    .onConflictDoUpdate({ target: jobs.name, set: found });
}

test("every check says how it came out, and a layer without keys says that it is off", async () => {
  const { ctx } = await staffMember();
  await storesWereChecked(ctx, { ok: true });
  const { checks } = await read(ctx);
  expect(stateOf(checks)).toMatchObject({ Database: "ok", "File store": "ok", "Bot check": "off" });
  expect(checks.every(({ at }) => at <= ctx.now())).toBe(true);
});

test("a file store that does not answer needs attention here and on the dashboard, which leads here", async () => {
  const { ctx } = await staffMember();
  await storesWereChecked(ctx, { ok: false });
  expect(stateOf((await read(ctx)).checks)).toMatchObject({ Database: "ok", "File store": "attention" });
  const { status } = await (await dashboard(args(ctx, get("/admin")))).json();
  expect(status).toMatchObject({ operational: false, reportTo: "/admin/settings?tab=advanced" });
  expect(status.problems).toContain("The file store has not answered for five minutes");
});

test("a technician is told what is wrong and led nowhere they may not go", async () => {
  const { ctx } = await staffMember("moderator");
  expect((await thrownBy(loader(args(ctx, get("/admin/settings"))))).status).toBe(403);
  const { status } = await (await dashboard(args(ctx, get("/admin")))).json();
  expect(status.reportTo).toBeNull();
});
