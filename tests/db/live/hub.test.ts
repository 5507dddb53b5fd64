import { evictDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, test } from "vitest";
import { organizationAudience } from "~/access/live-events";
import type { SignedIn } from "~/platform/context.server";
import { bindings, testContext } from "../../support/context";
import { aMoment, eventually, happen, hubOf, type Listener, listen, withBindings } from "../../support/live";
import { makeMember, makeOrganization, makePerson, makeSession } from "../../support/world";

const ctx = testContext();
ctx.clock.set(Date.now());

const connected: Listener[] = [];

afterEach(async () => {
  for (const listener of connected.splice(0)) listener.leave();
  await aMoment();
});

async function staff(role: SignedIn["role"] = "moderator"): Promise<SignedIn> {
  const person = await makePerson(ctx, { role });
  return (await makeSession(ctx, person)).signedIn;
}

async function connect(person: SignedIn, audience: Parameters<typeof listen>[0] = "staff"): Promise<Listener> {
  const listener = await listen(audience, person);
  connected.push(listener);
  return listener;
}

const notify = () => hubOf("staff").notify();

describe("what happens now", () => {
  test("the very first event of a hub is not lost", async () => {
    const listener = await connect(await staff());
    const seq = await happen(ctx, { label: "Priya Raman" });
    await notify();
    await eventually(() => listener.frames.length > 0);
    expect(listener.frames).toEqual([
      {
        v: 1,
        seq,
        type: "new_submission",
        id: expect.stringMatching(/^sub_/),
        label: "Priya Raman",
        at: new Date(ctx.now()).toISOString(),
      },
    ]);
  });

  test("a screen hears what happens after it connected, not what happened before", async () => {
    await happen(ctx);
    const listener = await connect(await staff());
    const seq = await happen(ctx);
    await notify();
    await eventually(() => listener.frames.length > 0);
    expect(listener.seqs()).toEqual([seq]);
  });

  test("every screen hears every event once and in order, however many nudges there are", async () => {
    const listeners = [await connect(await staff()), await connect(await staff("admin"))];
    const seqs = [await happen(ctx), await happen(ctx), await happen(ctx)];
    await Promise.all([notify(), notify(), notify()]);
    await notify();
    await aMoment();
    for (const listener of listeners) expect(listener.seqs()).toEqual(seqs);
  });

  test("people do not hear about their own actions", async () => {
    const [actor, other] = [await staff(), await staff()];
    const [own, theirs] = [await connect(actor), await connect(other)];
    const seq = await happen(ctx, { type: "status_update", actorId: actor.userId });
    await notify();
    await eventually(() => theirs.frames.length > 0);
    expect(theirs.seqs()).toEqual([seq]);
    expect(own.frames).toEqual([]);
  });

  test("sign-in events reach administrators only", async () => {
    const [admin, technician] = [await connect(await staff("admin")), await connect(await staff("moderator"))];
    const seq = await happen(ctx, { type: "mfa_event" });
    await notify();
    await eventually(() => admin.frames.length > 0);
    expect(admin.seqs()).toEqual([seq]);
    expect(technician.frames).toEqual([]);
  });

  test("a hub that was put to sleep remembers who is connected and what they have heard", async () => {
    const listener = await connect(await staff());
    const first = await happen(ctx);
    await notify();
    await evictDurableObject(hubOf("staff"), { webSockets: "hibernate" });
    const second = await happen(ctx);
    await notify();
    await eventually(() => listener.seqs().length > 1);
    expect(listener.seqs()).toEqual([first, second]);
  });
});

describe("what was missed", () => {
  test("a client that reconnects gets exactly what it missed", async () => {
    const person = await staff();
    const lastSeq = await happen(ctx);
    const missed = [await happen(ctx), await happen(ctx, { actorId: person.userId }), await happen(ctx)];
    const listener = await connect(person);
    listener.send({ type: "hello", lastSeq });
    await eventually(() => listener.seqs().length > 1);
    await aMoment();
    expect(listener.seqs()).toEqual([missed[0], missed[2]]);
  });

  test("an event that is committed while a hello is being answered arrives once, and nothing before it is lost", async () => {
    const lastSeq = await happen(ctx);
    const missed = [await happen(ctx), await happen(ctx)];
    const listener = await connect(await staff());
    listener.send({ type: "hello", lastSeq });
    const [seq] = await Promise.all([happen(ctx), notify()]);
    await notify();
    await eventually(() => listener.seqs().includes(seq));
    expect(listener.seqs()).toEqual([...missed, seq]);
  });

  test("a hello in the middle of a delivery loses nothing and doubles nothing", async () => {
    const lastSeq = await happen(ctx);
    const missed = await happen(ctx);
    const listener = await connect(await staff());
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = {
      withSession: () => {
        const session = bindings.DB.withSession();
        return {
          prepare: (query: string) => session.prepare(query),
          batch: async (statements: D1PreparedStatement[]) => {
            const results = await session.batch(statements);
            await gate;
            return results;
          },
        };
      },
    };
    const seq = await happen(ctx);
    await withBindings({ DB: slow }, async () => {
      const delivery = notify();
      await aMoment();
      listener.send({ type: "hello", lastSeq });
      await aMoment();
      goOn();
      await delivery;
    });
    await notify();
    await eventually(() => listener.seqs().includes(seq));
    expect(listener.seqs()).toEqual([missed, seq]);
  });

  test("fifty missed events are sent again, of fifty-one the page is told to start afresh", async () => {
    const before = await happen(ctx);
    const lastSeq = await happen(ctx);
    for (let count = 0; count < 50; count += 1) await happen(ctx);
    const [fifty, more] = [await connect(await staff()), await connect(await staff())];
    fifty.send({ type: "hello", lastSeq });
    more.send({ type: "hello", lastSeq: before });
    await eventually(() => fifty.seqs().length >= 50 && more.frames.length > 0);
    expect(fifty.seqs()).toHaveLength(50);
    expect(more.frames).toEqual([{ type: "reset" }]);
  });

  test("after a reset events go on arriving", async () => {
    const listener = await connect(await staff());
    listener.send({ type: "hello", lastSeq: 0 });
    await eventually(() => listener.frames.length > 0);
    const seq = await happen(ctx);
    await notify();
    await eventually(() => listener.seqs().includes(seq));
    expect(listener.frames.at(-1)).toMatchObject({ seq });
  });

  test("a number from another life of the database leads to a reset", async () => {
    const listener = await connect(await staff());
    listener.send({ type: "hello", lastSeq: 9_000_000 });
    await eventually(() => listener.frames.length > 0);
    expect(listener.frames).toEqual([{ type: "reset" }]);
  });
});

describe("an organization's hub", () => {
  test("members hear their organization's events and nobody else's", async () => {
    const [own, foreign] = [await makeOrganization(ctx), await makeOrganization(ctx)];
    const person = await makePerson(ctx);
    await makeMember(ctx, own.id, person, "member");
    const { signedIn } = await makeSession(ctx, person, 1);
    const audience = organizationAudience(own.id);
    const listener = await connect(signedIn, audience);
    await happen(ctx, { audience: "staff" });
    await happen(ctx, { audience: organizationAudience(foreign.id), type: "ticket_event" });
    const seq = await happen(ctx, { audience, type: "ticket_event" });
    await hubOf(audience).notify();
    await eventually(() => listener.frames.length > 0);
    expect(listener.seqs()).toEqual([seq]);
  });

  test.each(["a stranger", "staff"])("%s cannot listen to it", async (who) => {
    const organization = await makeOrganization(ctx);
    const person = await makePerson(ctx, { role: who === "staff" ? "admin" : "user" });
    const { signedIn } = await makeSession(ctx, person);
    const listener = await connect(signedIn, organizationAudience(organization.id));
    expect(await listener.closed).toBe(4403);
  });
});
