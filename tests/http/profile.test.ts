import { expect, test, vi } from "vitest";
import { loader as layout } from "~/routes/_account";
import { loader } from "~/routes/_account.profile._index";
import { clientTeam } from "../support/client-team";
import { derive, testContext } from "../support/context";
import { as, makePerson, signedInAs } from "../support/factories";
import { args, get } from "../support/requests";

test("a profile that cannot be read says so, with 503, and leaves out what it does not know", async () => {
  const ctx = testContext();
  const person = await makePerson(ctx, { withPassword: true });
  const open = async (signedIn: typeof ctx) => {
    const response = (await loader(args(signedIn, get("/profile")))) as Response;
    return { status: response.status, headers: response.headers, page: await response.json() };
  };
  const signedIn = derive(ctx, { signedIn: signedInAs(person, ctx.now()) });
  expect(await open(signedIn)).toMatchObject({
    status: 200,
    page: { email: person.email, state: { pendingEmail: null, codesLeft: 0 } },
  });
  const away = vi.fn().mockRejectedValue(new Error("D1_ERROR: overloaded"));
  const db = new Proxy(ctx.db, { get: (whole, key) => (key === "get" ? away : Reflect.get(whole, key)) });
  const broken = derive(signedIn, { db, log: () => undefined });
  const failed = await open(broken);
  expect(failed).toMatchObject({ status: 503, page: { email: person.email, state: null } });
  expect(failed.headers.get("Retry-After")).toBe("5");
});

test("personal pages lead back to the areas that somebody may enter, and to no other", async () => {
  const team = await clientTeam();
  const waysBack = async (ctx: typeof team.ctx) =>
    (await (await layout(args(ctx, get("/profile/sessions")))).json()).waysBack.map(({ to }) => to);
  expect(await waysBack(await team.requestOf(team.member))).toEqual(["/client"]);
  const staff = await makePerson(team.ctx, { role: "moderator" });
  expect(await waysBack(as(team.ctx, staff))).toEqual(["/admin"]);
  const unverified = { ...signedInAs(staff, team.ctx.now()), aal: 1, mfaEnabled: false };
  expect(await waysBack(derive(team.ctx, { signedIn: unverified }))).toEqual([]);
  const { organizations = [] } = (await team.requestOf(team.member)).signedIn ?? {};
  const both = { ...signedInAs(staff, team.ctx.now()), organizations };
  expect(await waysBack(derive(team.ctx, { signedIn: both }))).toEqual(["/admin", "/client"]);
});
