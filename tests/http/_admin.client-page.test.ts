import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { loader } from "~/routes/_admin.admin.organizations.$organizationId";
import { loader as ticketPage } from "~/routes/_admin.admin.tickets.$ticket";
import type { TestContext } from "../support/context";
import { makeMember, makePerson, makeSession } from "../support/factories";
import { organizationAndStaff } from "../support/organizations";
import { args, get } from "../support/requests";
import { makeTicket } from "../support/tickets";

const pageOf = async (ctx: TestContext, id: string, query = "") =>
  (await loader(args(ctx, get(`/admin/organizations/${id}${query}`), { organizationId: id }))).json();

async function client() {
  const { ctx, base, id } = await organizationAndStaff({ name: "Oak Dental" });
  const dana = await makePerson(base, { fullName: "Dana Whitlock" });
  await makeMember(base, id, dana, "member");
  return { ctx, base, id, dana };
}

test("what is open of a client comes by what is due first, with what it waits for, and nothing closed", async () => {
  const { ctx, base, id, dana } = await client();
  const of = (status: "open" | "waiting_for_customer" | "closed", title: string) =>
    makeTicket(base, { organizationId: id, createdBy: dana, status, title });
  await of("waiting_for_customer", "License ends");
  const { id: open } = await of("open", "No sound");
  await of("closed", "Old printer");
  await ctx.db.run(sql`UPDATE support_tickets SET due_at = ${ctx.now() - 60_000} WHERE id = ${open}`);
  const { tickets } = await pageOf(ctx, id);
  expect(tickets).toMatchObject({ late: { count: 1, isMore: false }, waiting: 1 });
  expect(tickets?.shown.map(({ title, waitsFor, due }) => [title, waitsFor, due?.isLate ?? null])).toEqual([
    ["No sound", "our reply", true],
    ["License ends", "an answer of Dana Whitlock", false],
  ]);
});

test("a client with hundreds of closed tickets costs no more rows than one with a few", async () => {
  const { ctx, base, id, dana } = await client();
  const cost = async () => {
    Object.assign(ctx.cost, { trips: 0, rowsRead: 0 });
    await pageOf(ctx, id);
    return { trips: ctx.cost.trips, rows: ctx.cost.rowsRead };
  };
  for (let count = 0; count < 3; count += 1)
    await makeTicket(base, { organizationId: id, createdBy: dana, status: "closed", title: "Old" });
  const few = await cost();
  for (let count = 0; count < 60; count += 1)
    await makeTicket(base, { organizationId: id, createdBy: dana, status: "closed", title: "Old" });
  const many = await cost();
  expect(many.trips).toBeLessThanOrEqual(2);
  expect(many.rows).toBeLessThanOrEqual(few.rows + 20);
});

test("people are shown with phone and last sign-in, and the ticket of one can be called", async () => {
  const { ctx, base, id, dana } = await client();
  await ctx.db.update(users).set({ phone: "(555) 555-0161" }).where(eq(users.id, dana.id));
  await makeSession(base, dana);
  const { members } = await pageOf(ctx, id);
  expect(members.find(({ name }) => name === "Dana Whitlock")).toMatchObject({
    phone: "(555) 555-0161",
    signedInAt: base.now(),
  });
  const { number } = await makeTicket(base, { organizationId: id, createdBy: dana, status: "open", title: "No sound" });
  const page = await (await ticketPage(args(ctx, get("/admin/tickets"), { ticket: `T-${number}` }))).json();
  expect(page.about.creatorPhone).toBe("(555) 555-0161");
});

test("the form that changes a client is shown only to who asks for it", async () => {
  const { ctx, id } = await client();
  expect((await pageOf(ctx, id)).isEditing).toBe(false);
  expect((await pageOf(ctx, id, "?edit=1")).isEditing).toBe(true);
});
