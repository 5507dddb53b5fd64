import { expect, test } from "vitest";
import type { StaffActor } from "~/features/auth/guards.server";
import { resetUserMfa } from "~/features/user-management/commands.server";
import { as, makePerson, signedInAs } from "../support/factories";
import { thrownBy } from "../support/requests";
import { newVisitor } from "../support/visitor";

test("after a reset the password alone opens nothing, with an optional factor too; the mailed link leads to a new one", async () => {
  const { ctx, browser } = newVisitor();
  const admin = await makePerson(ctx, { role: "admin" });
  const person = await makePerson(ctx, { withPassword: true, withTotp: true });
  const actor = signedInAs(admin, ctx.now()) as StaffActor;
  expect(await resetUserMfa(as(ctx, admin), actor, { userId: person.id, reason: "Lost phone" })).toMatchObject({
    ok: true,
  });
  await browser.password(person.email);
  expect(await browser.whoAmI()).toBeNull();
  expect((await browser.page()).state.at).toBe("credentials");
  await ctx.settle();
  const mail = ctx.sent.find(({ to }) => to === person.email);
  const [, link = ""] = /(\/login\?mode=setup\S+)/.exec(mail?.text ?? "") ?? [];
  // Opening it moves the token from the address to a cookie.
  expect((await thrownBy(browser.open(link))).status).toBe(303);
  await browser.password(person.email);
  expect((await browser.page()).state.at).toBe("setup_required");
  expect(await browser.whoAmI()).toBeNull();
});
