import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { organizationMemberships } from "~/db/schema/organizations";
import { addPerson } from "~/features/tickets/commands.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action, loader } from "~/routes/_admin.admin.tickets.$ticket";
import { loader as openForm } from "~/routes/_admin.admin.tickets.new";
import { flash } from "../support/admin-area";
import { makeMember, makePerson } from "../support/factories";
import { makeManyMembers } from "../support/many-members";
import { args, get, post } from "../support/requests";
import { makeTicket, ticketWorld } from "../support/tickets";

async function ticketOfDana() {
  const world = await ticketWorld();
  const ticket = await makeTicket(world.base, { organizationId: world.here.id, createdBy: world.dana });
  const { ctx } = world.staff(world.sam);
  const params = { ticket: `T-${ticket.number}` };
  const read = async () => (await loader(args(ctx, get(`/admin/tickets/T-${ticket.number}`), params))).json();
  const names = async () => (await read()).recipients.map(({ name }) => name);
  const add = (userId: string) =>
    addPerson(
      ctx,
      { side: "staff", by: { userId: world.sam.id, fullName: world.sam.fullName, side: "staff" } },
      { ticketId: ticket.id, userId, nonce: crypto.randomUUID() },
    );
  const deactivate = ({ id }: { id: string }) =>
    world.base.db.update(users).set({ status: "deactivated" }).where(eq(users.id, id));
  return { ...world, ctx, ticket, read, names, add, deactivate };
}

test("the page names those whom a reply reaches: the people who can still read it, or else the organization's admins", async () => {
  const { base, here, dana, omar, names, add, deactivate } = await ticketOfDana();
  expect(await names()).toEqual(["Dana Ortiz"]);
  await add(omar.id);
  expect(await names()).toEqual(["Dana Ortiz", "Omar Reyes"]);
  await deactivate(omar);
  expect(await names()).toEqual(["Dana Ortiz"]);
  await base.db.delete(organizationMemberships).where(eq(organizationMemberships.user_id, dana.id));
  expect(await names()).toEqual([]);
  for (const role of ["owner", "admin"] as const) {
    await makeMember(base, here.id, await makePerson(base, { fullName: `An ${role}` }), role);
  }
  expect(await names()).toEqual(["An admin", "An owner"]);
});

test("whose account is deactivated can neither be added to a ticket nor is chosen for a new one", async () => {
  const { ctx, here, omar, read, add, deactivate } = await ticketOfDana();
  await deactivate(omar);
  expect((await read()).about.colleagues).toEqual([]);
  expect(await add(omar.id)).toEqual({ ok: false, code: "person_not_found" });
  const form = await (await openForm(args(ctx, get(`/admin/tickets/new?organization=${here.id}`)))).json();
  expect(form.people?.map(({ name }) => name)).toEqual(["Dana Ortiz"]);
});

test("of more colleagues than a page offers, each is put on a ticket by their address, and nobody from elsewhere is", async () => {
  const { base, here, ctx, ticket, ivy, omar, read, deactivate } = await ticketOfDana();
  expect((await read()).about.hasMoreColleagues).toBe(false);
  await makeManyMembers(base, here.id, 99);
  expect((await read()).about).toMatchObject({ hasMoreColleagues: false, colleagues: { length: 100 } });
  const last = await makePerson(base, { fullName: "Zoe Adams", email: "zoe@larkspur.example" });
  await makeMember(base, here.id, last, "member");
  const { about } = await read();
  expect(about).toMatchObject({ hasMoreColleagues: true, colleagues: { length: 100 } });
  expect(about.colleagues.map(({ id }) => id)).not.toContain(last.id);
  const params = { ticket: `T-${ticket.number}` };
  const send = (fields: Record<string, string>) => {
    const form = { intent: "add_person", form_token: issueFormToken(ctx, "ticket-people"), ...fields };
    return action(args(ctx, post(`/admin/tickets/${params.ticket}`, form), params));
  };
  await deactivate(omar);
  for (const email of [ivy.email, omar.email, "nobody@example.com", "no address"]) {
    const response = await send({ person: "", email });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: { email: "No active member of this organization has this address." },
      values: { email },
    });
  }
  expect(await (await send({ person: "", email: " " })).json()).toMatchObject({
    errors: { email: "Choose a person" },
  });
  expect((await send({ person: "", email: " Zoe@Larkspur.example " })).status).toBe(303);
  expect(flash(ctx)).toBe("Success: Ticket updated successfully");
  expect((await read()).about.people).toEqual([{ id: last.id, name: "Zoe Adams" }]);
});
