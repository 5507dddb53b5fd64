import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import { users } from "~/db/schema/accounts";
import { minutes } from "~/lib/time";
import { socketStateOf, updateSocketState } from "~/live/sockets.server";
import type { SignedIn } from "~/platform/context.server";
import { makeMember, makeOrganization, makePerson, makeSession } from "../../support/factories";
import { eventually, framesOf, hubOf, type Listener, liveWorld, openSockets, shortWait } from "../../support/live";

const { ctx, connect, connected } = liveWorld();

type Colleague = Awaited<ReturnType<typeof connected>>;

const colleague = (fullName: string, role: SignedIn["role"] = "moderator") => connected({ role, fullName });

const open = ({ listener }: Pick<Colleague, "listener">, ticketId: string | null, writing = false) =>
  listener.send({ type: "here", ticketId, writing });

/** Returns what somebody was told last, once they were told this often. */
const seenBy = async ({ listener }: Pick<Colleague, "listener">, times: number) =>
  (await framesOf(listener, times)).at(-1);
const lastSent = (id: string, ...people: { name: string; writing: boolean }[]) => ({ type: "here", id, people });
const looking = (name: string) => ({ name, writing: false });
const writing = (name: string) => ({ name, writing: true });

/** Lets two people open the same new ticket. */
async function twoOnOneTicket() {
  const ticketId = ctx.newId("tkt");
  const [sam, jordan] = [await colleague("Sam Ortega"), await colleague("Jordan Vale", "admin")];
  open(sam, ticketId);
  open(jordan, ticketId);
  for (const { listener } of [sam, jordan]) await framesOf(listener);
  return { ticketId, sam, jordan };
}

describe("staff who have the same ticket open", () => {
  test("see each other, who writes, and who has gone on to another ticket", async () => {
    const { ticketId, sam, jordan } = await twoOnOneTicket();
    expect(sam.listener.frames).toEqual([lastSent(ticketId, looking("Jordan Vale"))]);
    expect(jordan.listener.frames).toEqual([lastSent(ticketId, looking("Sam Ortega"))]);
    open(sam, ticketId, true);
    expect(await seenBy(jordan, 2)).toEqual(lastSent(ticketId, writing("Sam Ortega")));
    open(sam, ctx.newId("tkt"));
    expect(await seenBy(jordan, 3)).toEqual(lastSent(ticketId));
    await shortWait();
    expect(sam.listener.frames).toHaveLength(1);
  });

  test("are told once of a colleague with two pages, who writes in one of them, and never of themselves", async () => {
    const { ticketId, sam, jordan } = await twoOnOneTicket();
    const second = await connect(sam);
    open({ listener: second }, ticketId, true);
    expect(await seenBy(jordan, 2)).toEqual(lastSent(ticketId, writing("Sam Ortega")));
    expect(await framesOf(second)).toEqual([lastSent(ticketId, looking("Jordan Vale"))]);
    expect(sam.listener.frames).toHaveLength(1);
  });

  test("are shown to nobody on another ticket, and somebody alone is told nothing", async () => {
    const { jordan } = await twoOnOneTicket();
    const other = await colleague("Avery Quinn");
    open(other, ctx.newId("tkt"));
    await shortWait();
    expect(other.listener.frames).toEqual([]);
    expect(jordan.listener.frames).toHaveLength(1);
  });

  test("are told of five others at most, those who write first", async () => {
    const { ticketId, sam } = await twoOnOneTicket();
    for (let count = 0; count < 5; count += 1) open(await colleague(`Colleague ${count}`), ticketId, count === 4);
    const namesTold = () => {
      const frame = sam.listener.frames.at(-1);
      return frame?.type === "here" ? frame.people.map(({ name }) => name) : [];
    };
    await eventually(() => namesTold().length === 5 && namesTold()[0] === "Colleague 4");
    expect(namesTold()).toEqual(["Colleague 4", "Colleague 0", "Colleague 1", "Colleague 2", "Colleague 3"]);
  });
});

describe("somebody is not shown any more", () => {
  test.each<[string, (sam: Colleague) => unknown]>([
    ["who has left the ticket", (sam) => open(sam, null)],
    ["who has closed the page", (sam) => sam.listener.close()],
    ["whose page was closed for a frame that is none", (sam) => sam.listener.sendRaw("nonsense")],
    ["who was signed out", ({ userId }) => hubOf("staff").disconnect(`u:${userId}`)],
    [
      "whose account has ended, once the hub looks",
      async ({ userId }) => {
        await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, userId));
        await runDurableObjectAlarm(hubOf("staff"));
      },
    ],
    [
      "whose page is silent",
      async ({ userId }) => {
        await runInDurableObject(hubOf("staff"), (_hub, state) => {
          for (const socket of state.getWebSockets(`u:${userId}`)) {
            const { viewing } = socketStateOf(socket);
            if (viewing) updateSocketState(socket, { viewing: { ...viewing, since: Date.now() - minutes(4) } });
          }
        });
        await runDurableObjectAlarm(hubOf("staff"));
      },
    ],
  ])("%s", async (_name, end) => {
    const { ticketId, sam, jordan } = await twoOnOneTicket();
    await end(sam);
    expect(await seenBy(jordan, 2)).toEqual(lastSent(ticketId));
  });
});

test("whoever has lost their access is told nothing of those who come later", async () => {
  const { ticketId, sam } = await twoOnOneTicket();
  await ctx.db.update(users).set({ status: "deactivated" }).where(eq(users.id, sam.userId));
  open(await colleague("Avery Quinn"), ticketId);
  await shortWait();
  expect(sam.listener.frames).toHaveLength(1);
});

test("a hub that has slept knows who is where, and tells nobody the same twice", async () => {
  const { ticketId, sam, jordan } = await twoOnOneTicket();
  await evictDurableObject(hubOf("staff"), { webSockets: "hibernate" });
  await hubOf("staff").notify();
  open(sam, ticketId, true);
  expect(await framesOf(jordan.listener, 2)).toEqual([
    lastSent(ticketId, looking("Sam Ortega")),
    lastSent(ticketId, writing("Sam Ortega")),
  ]);
  expect(sam.listener.frames).toHaveLength(1);
});

test("clients are shown to nobody, not even to each other, and nobody is shown to them", async () => {
  const { ticketId, jordan } = await twoOnOneTicket();
  const { id } = await makeOrganization(ctx);
  const audience = organizationAudience(id);
  const clients: Listener[] = [];
  for (const role of ["member", "owner"] as const) {
    const person = await makePerson(ctx);
    await makeMember(ctx, id, person, role);
    clients.push(await connect((await makeSession(ctx, person, 1)).signedIn, audience));
  }
  for (const client of clients) client.send({ type: "here", ticketId, writing: true });
  await hubOf(audience).notify();
  await shortWait();
  expect(clients.map(({ frames }) => frames)).toEqual([[], []]);
  expect((await openSockets(audience)).map(({ viewing }) => viewing)).toEqual([null, null]);
  expect(jordan.listener.frames).toHaveLength(1);
});

test.each([
  '"tkt_"',
  `"tkt_${"a".repeat(41)}"`,
  "7",
  '["tkt_1"]',
])("a page that claims to show %s as a ticket is closed, and no other", async (ticketId) => {
  const { sam, jordan } = await twoOnOneTicket();
  sam.listener.sendRaw(`{"type":"here","ticketId":${ticketId}}`);
  expect(await sam.listener.closed).toBe(1008);
  expect(jordan.listener.isOpen()).toBe(true);
});
