import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { tickets } from "~/db/schema/tickets";
import { hours, minutes } from "~/lib/time";
import { action, loader } from "~/routes/_admin.admin._index";
import { bulk } from "../support/admin-area";
import { makeSubmission } from "../support/factories";
import { args, get } from "../support/requests";
import { makeTicket, ticketRow, ticketWorld } from "../support/tickets";

async function listOfStaff() {
  const world = await ticketWorld();
  const { ctx } = world.staff(world.sam);
  const waiting = async (dueIn: number | null, assignedTo?: string) => {
    const ticket = await makeTicket(world.base, { organizationId: world.here.id, createdBy: world.dana, assignedTo });
    const due_at = dueIn === null ? null : world.base.now() + dueIn;
    await world.base.db.update(tickets).set({ due_at }).where(eq(tickets.id, ticket.id));
    return ticket;
  };
  const open = async (own = "all", by = ctx) => (await loader(args(by, get(`/admin?own=${own}`), {}))).json();
  return { ...world, ctx, waiting, open };
}

test("the queue has tickets among the requests, the first promise first; who owes nothing is not in it", async () => {
  const { base, ctx, waiting, open, sam } = await listOfStaff();
  const request = await makeSubmission(base);
  const [late, soon, quiet] = [await waiting(-minutes(20)), await waiting(hours(1), sam.id), await waiting(null)];
  const { queue } = await open();
  const ids = queue?.items.map(({ id }) => id);
  expect(ids).toEqual([late.id, soon.id, request.id]);
  expect(ids).not.toContain(quiet.id);
  expect(queue?.items[0]).toMatchObject({ mark: "🛠️", sla: expect.stringMatching(/^Medium, by /) });
  expect(queue?.items[2]?.mark).toBeNull();
  expect(queue).toMatchObject({ late: { count: 1 }, next: { state: "late" }, counts: { all: { count: 3 } } });
  expect((await open("me")).queue?.items.map(({ id }) => id)).toEqual([soon.id]);
  expect((await open("none")).queue?.items.map(({ id }) => id)).toEqual([late.id, request.id]);
  expect(ctx.cost.trips).toBeGreaterThan(0);
});

test("of two people who take a ticket of the queue at once, one has it and the other is told", async () => {
  const { ctx, base, waiting, open, avery, sam, staff } = await listOfStaff();
  const { id } = await waiting(hours(1));
  const { ctx: other } = staff(avery);
  const take = async (by: typeof ctx) => {
    const { tokens } = await open("all", by);
    return action(
      args(by, bulk("/admin", { intent: "take_ticket", id, form_token: tokens.take_ticket ?? "" }, []), {}),
    );
  };
  const answers = await Promise.all([take(ctx), take(other)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 400]);
  const { assigned_to, version } = await ticketRow(base, id);
  expect([sam.id, avery.id]).toContain(assigned_to);
  expect(version).toBe(2);
});
