import { evictDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { bindings } from "../../support/context";
import {
  eventually,
  framesOf,
  hubOf,
  liveWorld,
  openSockets,
  received,
  shortWait,
  storeEvent,
  withBindings,
} from "../../support/live";

const { ctx, connect, staff, announce } = liveWorld();

const notify = () => hubOf("staff").notify();

describe("new events", () => {
  test("the very first event of a hub is not lost", async () => {
    const listener = await connect(await staff());
    const seq = await announce({ label: "Priya Raman" });
    expect(await framesOf(listener)).toEqual([
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
    const seq = await announce();
    expect(await received(listener)).toEqual([seq]);
  });

  test("every socket receives every event once and in order, however often the hub is notified", async () => {
    const listeners = [await connect(await staff()), await connect(await staff({ role: "admin" }))];
    const seqs = [await storeEvent(ctx), await storeEvent(ctx), await storeEvent(ctx)];
    await Promise.all([notify(), notify(), notify()]);
    await notify();
    for (const listener of listeners) await received(listener, seqs.length);
    await shortWait();
    for (const listener of listeners) expect(listener.seqs()).toEqual(seqs);
  });

  test("people do not receive events of their own actions", async () => {
    const [actor, other] = [await staff(), await staff()];
    const [own, theirs] = [await connect(actor), await connect(other)];
    const seq = await announce({ type: "status_update", actorId: actor.userId });
    expect(await received(theirs)).toEqual([seq]);
    expect(own.frames).toEqual([]);
  });

  test("only administrators receive sign-in events", async () => {
    const [admin, technician] = [await connect(await staff({ role: "admin" })), await connect(await staff())];
    const seq = await announce({ type: "mfa_event" });
    expect(await received(admin)).toEqual([seq]);
    expect(technician.frames).toEqual([]);
  });

  test("after hibernation a hub knows who is connected and what they have received", async () => {
    const listener = await connect(await staff());
    const first = await announce();
    await evictDurableObject(hubOf("staff"), { webSockets: "hibernate" });
    const second = await announce();
    expect(await received(listener, 2)).toEqual([first, second]);
  });
});

describe("missed events", () => {
  test("a client that reconnects gets exactly the missed events", async () => {
    const person = await staff();
    const lastSeq = await storeEvent(ctx);
    const missed = [await storeEvent(ctx), await storeEvent(ctx, { actorId: person.userId }), await storeEvent(ctx)];
    const listener = await connect(person);
    listener.send({ type: "hello", lastSeq });
    await received(listener, 2);
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

  test("fifty missed events are sent again, after fifty-one or before a restore of the database the page gets a reset, and then what is new", async () => {
    const before = await storeEvent(ctx);
    const lastSeq = await storeEvent(ctx);
    for (let count = 0; count < 50; count += 1) await storeEvent(ctx);
    const [fifty, more, ofFuture] = [
      await connect(await staff()),
      await connect(await staff()),
      await connect(await staff()),
    ];
    fifty.send({ type: "hello", lastSeq });
    more.send({ type: "hello", lastSeq: before });
    // A number from before the database was restored.
    ofFuture.send({ type: "hello", lastSeq: 9_000_000 });
    expect(await received(fifty, 50)).toHaveLength(50);
    for (const listener of [more, ofFuture]) expect(await framesOf(listener)).toEqual([{ type: "reset" }]);
    const seq = await announce();
    for (const listener of [more, ofFuture])
      expect(await framesOf(listener, 2)).toEqual([{ type: "reset" }, expect.objectContaining({ seq })]);
  });
});
