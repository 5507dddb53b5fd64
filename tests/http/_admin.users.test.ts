import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { userRoles } from "~/db/schema/accounts";
import { minutes } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_admin.admin.users._index";
import { flash, staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { makePerson } from "../support/factories";
import { args, get, post } from "../support/requests";

const roleOf = async (ctx: TestContext, id: string) =>
  (await ctx.db.select({ role: userRoles.role }).from(userRoles).where(eq(userRoles.user_id, id)))[0]?.role ?? "user";

/** Builds the form of the rows as a page of two rows posts it. */
const saveRole = (form_token: string, save: string): Request => {
  const body = new URLSearchParams({ form_token, save, intent: "role", return_to: "/admin/users?q=person" });
  for (const role of ["nonsense", "moderator"]) body.append("role", role);
  return new Request("http://localhost:8787/admin/users", { method: "POST", body });
};

test("the select of a row changes the role and leads back to the same list", async () => {
  const { ctx, base } = await staffMember();
  const person = await makePerson(ctx);
  const form_token = issueFormToken(ctx, "user-list");
  const response = await action(args(ctx, saveRole(form_token, `1.${person.id}`), {}));
  expect(response.headers.get("Location")).toBe(`/admin/users?q=person#${person.id}`);
  expect(flash(base)).toBe("Success: User role updated successfully");
  expect(await roleOf(ctx, person.id)).toBe("moderator");
});

test("without a fresh proof of identity the page of the person asks for it, with the choice kept", async () => {
  const { ctx } = await staffMember();
  const person = await makePerson(ctx);
  const form_token = issueFormToken(ctx, "user-list");
  ctx.clock.advance(minutes(11));
  const response = await action(args(ctx, saveRole(form_token, `1.${person.id}`), {}));
  expect(response.headers.get("Location")).toBe(
    `/admin/users/${person.id}?do=role&role=moderator&from=%2Fadmin%2Fusers%3Fq%3Dperson`,
  );
  expect(await roleOf(ctx, person.id)).toBe("user");
});

test("a hand-made change of one's own role is rejected, and so is a role that does not exist", async () => {
  const { ctx } = await staffMember();
  await makePerson(ctx, { role: "admin" });
  const own = ctx.signedIn?.userId ?? "";
  const rejected = await action(args(ctx, saveRole(issueFormToken(ctx, "user-list"), `1.${own}`), {}));
  expect([rejected.status, await rejected.json()]).toEqual([400, { rejection: "You can't change your own role." }]);
  expect(await roleOf(ctx, own)).toBe("admin");
  const person = await makePerson(ctx);
  const unknown = await action(args(ctx, saveRole(issueFormToken(ctx, "user-list"), `0.${person.id}`), {}));
  expect([unknown.status, await unknown.json()]).toEqual([400, { rejection: "Failed to update user role" }]);
});

test("a form without a token of this session changes nothing", async () => {
  const { ctx } = await staffMember();
  const person = await makePerson(ctx);
  const rejected = await action(args(ctx, saveRole("v1.forged", `1.${person.id}`), {}));
  expect(rejected.status).toBe(400);
  expect(await roleOf(ctx, person.id)).toBe("user");
});

const listed = async (ctx: TestContext, query: string) => {
  const { list } = await (await loader(args(ctx, get(`/admin/users${query}`), {}))).json();
  return list;
};

test("the figures count the database and the table its filter, and an address is found by any of its letters", async () => {
  const { ctx } = await staffMember();
  const person = await makePerson(ctx, { fullName: "Žofia Größe", email: "zofia@unique-clinic.example" });
  const invited = await makePerson(ctx, { status: "pending", fullName: "Quentin Xavier Zed" });
  for (const query of ["?q=zofia gros", "?q=unique-clinic", "?q=ZOFIA&role=user", "?q=ŽO", "?q=fi&role=user"]) {
    expect((await listed(ctx, query))?.page.rows.map(({ id }) => id)).toEqual([person.id]);
  }
  expect((await listed(ctx, "?q=zofia&role=admin"))?.page.rows).toEqual([]);
  for (const query of ["?view=invited&q=xavier", "?view=invited&q=xa", "?view=invited&q=x"]) {
    expect((await listed(ctx, query))?.page.rows.map(({ id }) => id)).toEqual([invited.id]);
  }
  const all = await listed(ctx, "");
  expect(all?.counts.all).toBe((all?.counts.admin ?? 0) + (all?.counts.moderator ?? 0) + (all?.counts.user ?? 0));
  expect(all?.total).toEqual({ count: all?.counts.all, more: false });
  expect((await listed(ctx, "?role=user"))?.total).toEqual({ count: all?.counts.user, more: false });
});

test("an unknown intent is no form of ours", async () => {
  const { ctx } = await staffMember();
  await expect(action(args(ctx, post("/admin/users", { intent: "promote" }), {}))).rejects.toMatchObject({
    status: 400,
  });
});
