import { evictDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import type { SignedIn } from "~/platform/context.server";
import { bindings, testContext } from "../../support/context";
import { makePerson, makeSession } from "../../support/factories";
import {
  eventually,
  hubOf,
  listenersOfFile,
  openSockets,
  shortWait,
  storeEvent,
  withBindings,
} from "../../support/live";

const ctx = testContext();
ctx.clock.set(Date.now());

const connect = listenersOfFile();

async function staff(role: SignedIn["role"] = "moderator"): Promise<SignedIn> {
  const person = await makePerson(ctx, { role });
  return (await makeSession(ctx, person)).signedIn;
}

const notify = () => hubOf("staff").notify();

describe("new events", () => {
  test("the very first event of a hub is not lost", async () => {
    const listener = await connect(await staff());
    const seq = await storeEvent(ctx, { label: "Priya Raman" });
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

  test("a socket receives the events after it connected, not those before", async () => {
    await storeEvent(ctx);
    const listener = await connect(await staff());
    const seq = await storeEvent(ctx);
    await notify();
    await eventually(() => listener.frames.length > 0);
    expect(listener.seqs()).toEqual([seq]);
  });

  test("every socket receives every event once and in order, however often the hub is notified", async () => {
    const listeners = [await connect(await staff()), await connect(await staff("admin"))];
    const seqs = [await storeEvent(ctx), await storeEvent(ctx), await storeEvent(ctx)];
    await Promise.all([notify(), notify(), notify()]);
    await notify();
    await eventually(() => listeners.every((listener) => listener.seqs().length >= seqs.length));
    await shortWait();
    for (const listener of listeners) expect(listener.seqs()).toEqual(seqs);
  });

  test("people do not receive events of their own actions", async () => {
    const [actor, other] = [await staff(), await staff()];
    const [own, theirs] = [await connect(actor), await connect(other)];
    const seq = await storeEvent(ctx, { type: "status_update", actorId: actor.userId });
    await notify();
    await eventually(() => theirs.frames.length > 0);
    expect(theirs.seqs()).toEqual([seq]);
    expect(own.frames).toEqual([]);
  });

  test("only administrators receive sign-in events", async () => {
    const [admin, technician] = [await connect(await staff("admin")), await connect(await staff("moderator"))];
    const seq = await storeEvent(ctx, { type: "mfa_event" });
    await notify();
    await eventually(() => admin.frames.length > 0);
    expect(admin.seqs()).toEqual([seq]);
    expect(technician.frames).toEqual([]);
  });

  test("after hibernation a hub knows who is connected and what they have received", async () => {
    const listener = await connect(await staff());
    const first = await storeEvent(ctx);
    await notify();
    await evictDurableObject(hubOf("staff"), { webSockets: "hibernate" });
    const second = await storeEvent(ctx);
    await notify();
    await eventually(() => listener.seqs().length > 1);
    expect(listener.seqs()).toEqual([first, second]);
  });
});

describe("missed events", () => {
  test("a client that reconnects gets exactly the missed events", async () => {
    const person = await staff();
    const lastSeq = await storeEvent(ctx);
    const missed = [await storeEvent(ctx), await storeEvent(ctx, { actorId: person.userId }), await storeEvent(ctx)];
    const listener = await connect(person);
    listener.send({ type: "hello", lastSeq });
    await eventually(() => listener.seqs().length > 1);
    await shortWait();
    expect(listener.seqs()).toEqual([missed[0], missed[2]]);
  });

  test("an event committed during a hello is received once, and no earlier event is lost", async () => {
    const lastSeq = await storeEvent(ctx);
    const missed = [await storeEvent(ctx), await storeEvent(ctx)];
    const listener = await connect(await staff());
    listener.send({ type: "hello", lastSeq });
    const [seq] = await Promise.all([storeEvent(ctx), notify()]);
    await notify();
    await eventually(() => listener.seqs().includes(seq));
    expect(listener.seqs()).toEqual([...missed, seq]);
  });

  test("a hello during a delivery loses no event and repeats none", async () => {
    const lastSeq = await storeEvent(ctx);
    const missed = await storeEvent(ctx);
    const listener = await connect(await staff());
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hasRead = false;
    const slow = {
      withSession: () => {
        const session = bindings.DB.withSession();
        return {
          prepare: (query: string) => session.prepare(query),
          batch: async (statements: D1PreparedStatement[]) => {
            const results = await session.batch(statements);
            hasRead = true;
            await released;
            return results;
          },
        };
      },
    };
    const seq = await storeEvent(ctx);
    await withBindings({ DB: slow }, async () => {
      const delivery = notify();
      await eventually(() => hasRead);
      listener.send({ type: "hello", lastSeq });
      await eventually(async () => (await openSockets("staff")).some((socket) => socket.seq === lastSeq));
      release();
      await delivery;
    });
    await notify();
    await eventually(() => listener.seqs().includes(seq));
    expect(listener.seqs()).toEqual([missed, seq]);
  });

  test("fifty missed events are sent again, after fifty-one the page gets a reset", async () => {
    const before = await storeEvent(ctx);
    const lastSeq = await storeEvent(ctx);
    for (let count = 0; count < 50; count += 1) await storeEvent(ctx);
    const [fifty, more] = [await connect(await staff()), await connect(await staff())];
    fifty.send({ type: "hello", lastSeq });
    more.send({ type: "hello", lastSeq: before });
    await eventually(() => fifty.seqs().length >= 50 && more.frames.length > 0);
    expect(fifty.seqs()).toHaveLength(50);
    expect(more.frames).toEqual([{ type: "reset" }]);
  });

  test("after a reset new events are received", async () => {
    const listener = await connect(await staff());
    listener.send({ type: "hello", lastSeq: 0 });
    await eventually(() => listener.frames.length > 0);
    const seq = await storeEvent(ctx);
    await notify();
    await eventually(() => listener.seqs().includes(seq));
    expect(listener.frames.at(-1)).toMatchObject({ seq });
  });

  test("a number from before the database was restored leads to a reset", async () => {
    const listener = await connect(await staff());
    listener.send({ type: "hello", lastSeq: 9_000_000 });
    await eventually(() => listener.frames.length > 0);
    expect(listener.frames).toEqual([{ type: "reset" }]);
  });
});
