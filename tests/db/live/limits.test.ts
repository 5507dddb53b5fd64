import { describe, expect, test } from "vitest";
import { HEARTBEAT } from "~/live/protocol";
import type { SignedIn } from "~/platform/context.server";
import { testContext } from "../../support/context";
import { makePerson, makeSession } from "../../support/factories";
import {
  connectToHub,
  eventually,
  hubOf,
  type Listener,
  listenersOfFile,
  openSockets,
  shortWait,
  storeEvent,
  withBindings,
} from "../../support/live";

const ctx = testContext();
ctx.clock.set(Date.now());

const connect = listenersOfFile();

async function staff(): Promise<SignedIn> {
  return (await makeSession(ctx, await makePerson(ctx, { role: "moderator" }))).signedIn;
}

const notify = () => hubOf("staff").notify();

describe("frames", () => {
  test.each([
    ["a frame over 4 KiB", "x".repeat(4097), 1009],
    ["a frame of a mebibyte", "x".repeat(1024 * 1024), 1009],
    ["a frame that is short in letters and long in bytes", "é".repeat(2049), 1009],
    ["a binary frame", new Uint8Array([1, 2, 3]).buffer, 1003],
  ])("%s closes its socket and no other", async (_name, data, code) => {
    const [offender, bystander] = [await connect(await staff()), await connect(await staff())];
    offender.sendRaw(data);
    expect(await offender.closed).toBe(code);
    const seq = await storeEvent(ctx);
    await notify();
    await eventually(() => bystander.frames.length > 0);
    expect(bystander.seqs()).toEqual([seq]);
  });

  test("a frame of exactly 4 KiB is read", async () => {
    const listener = await connect(await staff());
    listener.sendRaw(`{"type":"ping"}${" ".repeat(4096 - 15)}`);
    await eventually(() => listener.frames.length > 0);
    expect(listener.frames).toEqual([{ type: "pong" }]);
  });

  test("twenty frames in ten seconds are answered, the next one closes the socket", async () => {
    const listener = await connect(await staff());
    for (let count = 0; count < 20; count += 1) listener.send({ type: "ping" });
    await eventually(() => listener.frames.length === 20);
    expect(listener.frames).toHaveLength(20);
    listener.send({ type: "ping" });
    expect(await listener.closed).toBe(1008);
  });

  test("heartbeats are answered and do not count towards the limit", async () => {
    const listener = await connect(await staff());
    for (let count = 0; count < 30; count += 1) listener.sendRaw(HEARTBEAT);
    await eventually(() => listener.frames.length === 30);
    expect(listener.frames).toHaveLength(30);
    expect(listener.isOpen()).toBe(true);
  });

  test.each([
    "not json",
    "",
    "null",
    "[]",
    "7",
    '"hello"',
    '{"type":"hello"',
  ])("the frame %j is no object in JSON, and closes its socket and no other", async (text) => {
    const [offender, bystander] = [await connect(await staff()), await connect(await staff())];
    offender.sendRaw(text);
    expect(await offender.closed).toBe(1008);
    expect(bystander.isOpen()).toBe(true);
  });

  test.each([
    "-1",
    '"7"',
    "1.5",
    "null",
    "1e400",
    "9007199254740993",
    "[]",
    "true",
  ])("a hello that names %s as its place is told to read everything again, and hears what comes next", async (viewing) => {
    const listener = await connect(await staff());
    listener.sendRaw(`{"type":"hello","lastSeq":${viewing}}`);
    await eventually(() => listener.frames.length > 0);
    expect(listener.frames).toEqual([{ type: "reset" }]);
    const seq = await storeEvent(ctx);
    await notify();
    await eventually(() => listener.seqs().includes(seq));
    expect(listener.isOpen()).toBe(true);
  });

  test("a hello without a place is told to read everything again", async () => {
    const listener = await connect(await staff());
    listener.sendRaw('{"type":"hello"}');
    await eventually(() => listener.frames.length > 0);
    expect(listener.frames).toEqual([{ type: "reset" }]);
  });

  test("a frame of a type from another version of the page is ignored", async () => {
    const listener = await connect(await staff());
    listener.sendRaw('{"type":"dance"}');
    listener.send({ type: "ping" });
    await eventually(() => listener.frames.length > 0);
    expect(listener.frames).toEqual([{ type: "pong" }]);
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
    await eventually(() => listener.frames.length > 0);
    expect(listener.seqs()).toEqual([seq]);
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
