import { describe, expect, test } from "vitest";
import { HEARTBEAT } from "~/live/protocol";
import {
  connectToHub,
  eventually,
  framesOf,
  hubOf,
  type Listener,
  liveWorld,
  openSockets,
  received,
  shortWait,
  storeEvent,
  withBindings,
} from "../../support/live";

const { ctx, connect, staff, announce } = liveWorld();

const notify = () => hubOf("staff").notify();

describe("frames", () => {
  test.each([
    ["a frame over 4 KiB", "x".repeat(4097), 1009],
    ["a frame of a mebibyte", "x".repeat(1024 * 1024), 1009],
    ["a frame that is short in letters and long in bytes", "é".repeat(2049), 1009],
    ["a binary frame", new Uint8Array([1, 2, 3]).buffer, 1003],
    ["a frame that is no JSON", "not json", 1008],
    ["a frame with nothing", "", 1008],
    ["a frame of null", "null", 1008],
    ["a frame of a list", "[]", 1008],
    ["a frame of a number", "7", 1008],
    ["a frame of a text", '"hello"', 1008],
    ["a frame that breaks off", '{"type":"hello"', 1008],
  ])("%s closes its socket and no other", async (_name, data, code) => {
    const [offender, bystander] = [await connect(await staff()), await connect(await staff())];
    offender.sendRaw(data);
    expect(await offender.closed).toBe(code);
    const seq = await announce();
    expect(await received(bystander)).toEqual([seq]);
  });

  test("a frame of exactly 4 KiB is read", async () => {
    const listener = await connect(await staff());
    listener.sendRaw(`{"type":"ping"}${" ".repeat(4096 - 15)}`);
    expect(await framesOf(listener)).toEqual([{ type: "pong" }]);
  });

  test("twenty frames in ten seconds are answered, the next one closes the socket", async () => {
    const listener = await connect(await staff());
    for (let count = 0; count < 20; count += 1) listener.send({ type: "ping" });
    expect(await framesOf(listener, 20)).toHaveLength(20);
    listener.send({ type: "ping" });
    expect(await listener.closed).toBe(1008);
  });

  test("heartbeats are answered and do not count towards the limit", async () => {
    const listener = await connect(await staff());
    for (let count = 0; count < 30; count += 1) listener.sendRaw(HEARTBEAT);
    expect(await framesOf(listener, 30)).toHaveLength(30);
    expect(listener.isOpen()).toBe(true);
  });

  test.each([
    '{"type":"hello"}',
    ...["-1", '"7"', "1.5", "null", "1e400", "9007199254740993", "[]", "true"].map(
      (place) => `{"type":"hello","lastSeq":${place}}`,
    ),
  ])("a hello without a place that can be, %s, is told to read everything again, and hears what comes next", async (hello) => {
    const listener = await connect(await staff());
    listener.sendRaw(hello);
    expect(await framesOf(listener)).toEqual([{ type: "reset" }]);
    const seq = await announce();
    expect(await received(listener)).toEqual([seq]);
    expect(listener.isOpen()).toBe(true);
  });

  test("a frame of a type from another version of the page is ignored", async () => {
    const listener = await connect(await staff());
    listener.sendRaw('{"type":"dance"}');
    listener.send({ type: "ping" });
    expect(await framesOf(listener)).toEqual([{ type: "pong" }]);
  });
});

describe("sockets", () => {
  test("a sixth socket of one person closes their oldest", async () => {
    const person = await staff();
    const listeners: Listener[] = [];
    for (let count = 0; count < 6; count += 1) listeners.push(await connect(person));
    expect(await listeners[0]?.closed).toBe(4409);
    expect(listeners.slice(1).map((listener) => listener.isOpen())).toEqual([true, true, true, true, true]);
  });

  test("a full hub rejects the next person, and accepts another when somebody has left", async () => {
    await withBindings({ LIVE_MAX_SOCKETS: "2" }, async () => {
      const [first] = [await connect(await staff()), await connect(await staff())];
      const rejected = await connectToHub("staff", await staff());
      expect(rejected.status).toBe(503);
      expect(rejected.headers.get("Retry-After")).toBe("30");
      first?.close();
      await first?.closed;
      await eventually(async () => (await openSockets("staff")).length === 1);
      const accepted = await connect(await staff());
      expect(accepted.isOpen()).toBe(true);
    });
  });

  test("a request without the headers of the person is not accepted", async () => {
    const response = await hubOf("staff").fetch("https://hub/", { headers: { Upgrade: "websocket" } });
    expect(response.status).toBe(400);
  });
});

describe("a database that does not respond", () => {
  const down = {
    withSession: () => ({
      prepare: () => ({ bind: () => null }),
      batch: async () => {
        throw new Error("D1_ERROR: Network connection lost");
      },
    }),
  };

  test("causes no lost event", async () => {
    const listener = await connect(await staff());
    const seq = await storeEvent(ctx);
    await withBindings({ DB: down }, async () => {
      await notify();
      listener.send({ type: "hello", lastSeq: seq - 1 });
      await shortWait();
      expect(listener.isOpen()).toBe(true);
      expect(listener.frames).toEqual([]);
    });
    await notify();
    expect(await received(listener)).toEqual([seq]);
  });

  test("does not lose events for a socket that connects in the meantime", async () => {
    const before = await storeEvent(ctx);
    const person = await staff();
    let listener: Listener | undefined;
    await withBindings({ DB: down }, async () => {
      listener = await connect(person);
      expect(listener.isOpen()).toBe(true);
    });
    await notify();
    await eventually(() => listener?.seqs().includes(before) === true);
    expect(listener?.seqs()).toContain(before);
  });
});
