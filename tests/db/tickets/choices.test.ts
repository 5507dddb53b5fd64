import { expect, test } from "vitest";
import { addCc, removeCc } from "~/features/tickets/cc/actions.server";
import { listCc } from "~/features/tickets/cc/queries.server";
import {
  addPerson,
  assignTicket,
  changePriority,
  changeStatus,
  changeStatusAsClient,
  moveToOrganization,
  removePerson,
  saveTicketProperties,
  setPrivacy,
  takeTicket,
} from "~/features/tickets/commands.server";
import type { TicketActor } from "~/features/tickets/model";
import { findTicketForStaff, listPeople } from "~/features/tickets/queries.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { undoReply } from "~/features/tickets/undo-reply.server";
import { fail, type Result } from "~/lib/errors";
import { historyOf, makeTicket, textsOf, ticketRow, ticketWorld } from "../../support/tickets";

/*
 * A page that could not be read again keeps the token of its forms: what is chosen on it again and again is as chosen.
 * The same post twice is one change, and a late one does not undo what a colleague has done since.
 */

async function aTicket() {
  const world = await ticketWorld();
  const { base, here, dana, sam } = world;
  const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  const { ctx, actor } = world.staff(sam);
  const by: TicketActor = { userId: actor.userId, fullName: actor.fullName, side: "staff" };
  const editor = { side: "staff", by } as const;
  return { ...world, ticket, ctx, actor, by, editor, client: world.client(dana) };
}

type World = Awaited<ReturnType<typeof aTicket>>;
type Form = { ticketId: string; nonce: string };
type Choosing = {
  choose: (world: World, form: Form) => Promise<Result<unknown, string>>;
  is: (world: World) => unknown;
};

const stored = ({ base, ticket }: World) => findTicketForStaff(base.db, ticket.id);
const status = async (world: World) => (await stored(world))?.status;
const people = async ({ base, ticket }: World) => (await listPeople(base.db, ticket.id)).map(({ name }) => name);

/** Holds two choices of the same, each with what it leads to. */
const CHOICES: Record<string, [Choosing, unknown, Choosing, unknown]> = {
  "a status in the list": [
    { choose: ({ ctx, by }, form) => changeStatus(ctx, by, { ...form, status: "in_progress" }), is: status },
    "in_progress",
    { choose: ({ ctx, by }, form) => changeStatus(ctx, by, { ...form, status: "closed" }), is: status },
    "closed",
  ],
  "a status on its page": [
    { choose: ({ ctx, by }, form) => saveTicketProperties(ctx, by, { ...form, status: "in_progress" }), is: status },
    "in_progress",
    { choose: ({ ctx, by }, form) => saveTicketProperties(ctx, by, { ...form, status: "closed" }), is: status },
    "closed",
  ],
  "a status of a client": [
    { choose: ({ client }, form) => move(client, form, "solved"), is: status },
    "resolved",
    { choose: ({ client }, form) => move(client, form, "reopen"), is: status },
    "open",
  ],
  "an assignee": [
    { choose: ({ ctx, by, sam }, form) => assignTicket(ctx, by, { ...form, assigneeId: sam.id }), is: assignee },
    "Sam Lee",
    { choose: ({ ctx, by }, form) => assignTicket(ctx, by, { ...form, assigneeId: null }), is: assignee },
    undefined,
  ],
  "a priority": [
    {
      choose: ({ ctx, by }, form) => changePriority(ctx, by, { ...form, priority: "high", reason: "All" }),
      is: priority,
    },
    "high",
    {
      choose: ({ ctx, by }, form) => changePriority(ctx, by, { ...form, priority: "low", reason: "One" }),
      is: priority,
    },
    "low",
  ],
  "who of the organization may read it": [
    { choose: ({ client }, form) => setPrivacy(client.ctx, client.actor, { ...form, isPrivate: true }), is: isPrivate },
    true,
    {
      choose: ({ client }, form) => setPrivacy(client.ctx, client.actor, { ...form, isPrivate: false }),
      is: isPrivate,
    },
    false,
  ],
  "a person on it": [
    { choose: ({ ctx, editor, omar }, form) => addPerson(ctx, editor, { ...form, userId: omar.id }), is: people },
    ["Omar Reyes"],
    { choose: ({ ctx, editor, omar }, form) => removePerson(ctx, editor, { ...form, userId: omar.id }), is: people },
    [],
  ],
  "an organization": [
    { choose: ({ ctx, by, there }, form) => moveTo(ctx, by, { ...form, organizationId: there.id }), is: organization },
    "Brightsmile",
    { choose: ({ ctx, by, here }, form) => moveTo(ctx, by, { ...form, organizationId: here.id }), is: organization },
    "Larkspur Row",
  ],
};

const moveTo = moveToOrganization;
const move = ({ ctx, actor }: World["client"], form: Form, to: "solved" | "reopen") =>
  changeStatusAsClient(ctx, actor, { ...form, move: to, message: null });
async function assignee(world: World) {
  return (await stored(world))?.assignee?.name;
}
async function priority(world: World) {
  return (await stored(world))?.priority;
}
async function isPrivate(world: World) {
  return (await stored(world))?.isPrivate;
}
async function organization(world: World) {
  return (await stored(world))?.organization.name;
}

const nonce = () => crypto.randomUUID();

test.each(
  Object.entries(CHOICES),
)("%s that is chosen again after another one, with one token, is so afterwards", async (_, [
  one,
  first,
  other,
  second,
]) => {
  const world = await aTicket();
  const form = { ticketId: world.ticket.id, nonce: nonce() };
  const steps = [
    [one, first],
    [other, second],
    [one, first],
    [other, second],
  ] as const;
  for (const [index, [{ choose, is }, expected]] of steps.entries()) {
    // A double click, and a retry of the browser.
    const answers = [...(await Promise.all([choose(world, form), choose(world, form)])), await choose(world, form)];
    expect([answers.map(({ ok }) => ok), await is(world)]).toEqual([[true, true, true], expected]);
    expect(await historyOf(world.base, world.ticket.id)).toHaveLength(index + 1);
  }
});

test.each(
  Object.entries(CHOICES),
)("%s that a colleague has changed since stays when the first form arrives again, which says so", async (_, [
  one,
  ,
  other,
  second,
]) => {
  const world = await aTicket();
  const form = { ticketId: world.ticket.id, nonce: nonce() };
  await one.choose(world, form);
  await other.choose(world, { ...form, nonce: nonce() });
  expect([await one.choose(world, form), await other.is(world)]).toEqual([fail("changed_since"), second]);
});

test("a choice about one ticket is not taken for one about another, whatever token its page has", async () => {
  const world = await aTicket();
  const { ctx, by, base, here, dana } = world;
  const token = nonce();
  const second = await makeTicket(base, { organizationId: here.id, createdBy: dana });
  for (const { id } of [world.ticket, second]) {
    await changeStatus(ctx, by, { ticketId: id, status: "closed", nonce: token });
    await assignTicket(ctx, by, { ticketId: id, assigneeId: world.sam.id, nonce: token });
    expect(await ticketRow(base, id)).toMatchObject({ status: "closed", assigned_to: world.sam.id });
  }
});

test("a ticket that its taker has given back is not said to be theirs by the form that took it", async () => {
  const { ctx, by, actor, ticket, base } = await aTicket();
  const form = { ticketId: ticket.id, nonce: nonce() };
  expect([(await takeTicket(ctx, actor, form)).ok, (await takeTicket(ctx, actor, form)).ok]).toEqual([true, true]);
  await assignTicket(ctx, by, { ticketId: ticket.id, assigneeId: null, nonce: nonce() });
  expect(await takeTicket(ctx, actor, form)).toEqual(fail("changed_since"));
  expect(await ticketRow(base, ticket.id)).toMatchObject({ assigned_to: null });
});

test("an address whose copies were ended is not said to get them by the form that added it", async () => {
  const { ctx, editor, ticket, base } = await aTicket();
  const form = { ticketId: ticket.id, nonce: nonce() };
  const add = () => addCc(ctx, editor, { ...form, email: "facilities@landlord.example" });
  expect([(await add()).ok, (await add()).ok]).toEqual([true, true]);
  const [copy] = await listCc(base.db, ticket.id);
  await removeCc(ctx, editor, { ...form, ccId: copy?.id ?? "" });
  expect([await add(), await listCc(base.db, ticket.id)]).toEqual([fail("changed_since"), []]);
});

test("a second reply is taken back too from a page that still has the token of the first", async () => {
  const { ctx, actor, ticket, base } = await aTicket();
  const token = nonce();
  for (const text of ["Try this.", "Or that."]) {
    const reply = { ticketId: ticket.id, text, effect: "send", baseMessage: 0, nonce: nonce() } as const;
    const sent = await replyAsStaff(ctx, actor, reply);
    const messageId = sent.ok ? sent.value : "";
    expect((await undoReply(ctx, actor, { ticketId: ticket.id, messageId, nonce: token })).ok).toBe(true);
    expect(await textsOf(base, ticket.id)).toEqual([]);
  }
});
