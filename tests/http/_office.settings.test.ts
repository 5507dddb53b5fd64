import { expect, test } from "vitest";
import { minutes } from "~/lib/time";
import { loader as dashboard } from "~/routes/_office.admin._index";
import { loader } from "~/routes/_office.admin.settings";
import type { TestContext } from "../support/context";
import { desk } from "../support/office";
import { args, get, thrownBy } from "../support/requests";

const read = async (ctx: TestContext) => (await loader(args(ctx, get("/admin/settings?tab=advanced")))).json();
const stateOf = (checks: { name: string; state: string }[]) =>
  Object.fromEntries(checks.map(({ name, state }) => [name, state]));

test("every check says how it came out, and a layer without keys says that it is off", async () => {
  const { ctx } = await desk();
  const { checks } = await read(ctx);
  expect(stateOf(checks)).toMatchObject({ Database: "ok", "File store": "ok", "Bot check": "off" });
  expect(checks.every(({ at }) => at <= ctx.now())).toBe(true);
});

test("a file store that does not answer needs attention here and on the dashboard, which leads here", async () => {
  const { ctx, world } = await desk();
  world.clock.advance(minutes(2));
  world.files.get = () => Promise.reject(new Error("away"));
  expect(stateOf((await read(ctx)).checks)).toMatchObject({ "File store": "attention" });
  const { status } = await (await dashboard(args(ctx, get("/admin")))).json();
  expect(status).toEqual({
    operational: false,
    troubles: ["The file store does not answer"],
    reportTo: "/admin/settings?tab=advanced",
  });
});

test("a technician is told what is wrong and led nowhere they may not go", async () => {
  const { ctx } = await desk("moderator");
  expect((await thrownBy(loader(args(ctx, get("/admin/settings"))))).status).toBe(403);
  const { status } = await (await dashboard(args(ctx, get("/admin")))).json();
  expect(status.reportTo).toBeNull();
});
