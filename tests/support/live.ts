import { runInDurableObject } from "cloudflare:test";
import { afterEach } from "vitest";
import type { Audience } from "~/access/live-events";
import { liveEvents } from "~/db/schema/live";
import type { LiveEventType } from "~/lib/subject";
import type { ServerFrame } from "~/live/protocol";
import { type SocketState, socketStateOf } from "~/live/sockets.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { bindings, testContext } from "./context";
import { makePerson, makeSession } from "./factories";

export const hubOf = (audience: Audience) => bindings.LIVE.get(bindings.LIVE.idFromName(audience));

/** Holds the browser's side of a socket to a hub, and everything received. */
export type Listener = {
  frames: ServerFrame[];
  /** Returns the numbers of the received events, in order. */
  seqs: () => number[];
  send: (frame: unknown) => void;
  sendRaw: (data: string | ArrayBuffer) => void;
  /** Resolves to the code with which the hub closes the connection. */
  closed: Promise<number>;
  isOpen: () => boolean;
  close: () => void;
};

/** Connects a person to a hub, without the checks of the worker. */
export async function listen(audience: Audience, person: SignedIn): Promise<Listener> {
  const response = await connectToHub(audience, person);
  const socket = response.webSocket;
  if (!socket) throw new Error(`The hub responded with ${response.status}`);
  const frames: ServerFrame[] = [];
  let open = true;
  socket.addEventListener("message", (event) => {
    frames.push(JSON.parse(String(event.data)) as ServerFrame);
  });
  const closed = new Promise<number>((resolve) => {
    socket.addEventListener("close", (event) => {
      open = false;
      resolve(event.code);
    });
  });
  socket.accept();
  return {
    frames,
    seqs: () => frames.flatMap((frame) => ("seq" in frame ? [frame.seq] : [])),
    send: (frame) => socket.send(JSON.stringify(frame)),
    sendRaw: (data) => socket.send(data),
    closed,
    isOpen: () => open,
    close: () => {
      if (open) socket.close(1000);
    },
  };
}

/** Returns `listen` for the tests of a file: what it connects is closed after each test, and the hubs know it. */
function listenersOfFile() {
  const connected: { listener: Listener; audience: Audience }[] = [];
  afterEach(async () => {
    const left = connected.splice(0);
    for (const { listener } of left) listener.close();
    await Promise.all(left.map(({ listener }) => listener.closed));
    for (const audience of new Set(left.map((each) => each.audience))) {
      await eventually(async () => (await openSockets(audience)).length === 0);
    }
  });
  return async (person: SignedIn, audience: Audience = "staff"): Promise<Listener> => {
    const listener = await listen(audience, person);
    connected.push({ listener, audience });
    return listener;
  };
}

/** Returns what tests of hubs share: a context by the real clock, which hubs go by, and staff who connect. */
export function liveWorld() {
  const ctx = testContext();
  ctx.clock.set(Date.now());
  const connect = listenersOfFile();
  const staff = async (person: Parameters<typeof makePerson>[1] = {}, aal: 1 | 2 = 2): Promise<SignedIn> =>
    (await makeSession(ctx, await makePerson(ctx, { role: "moderator", ...person }), aal)).signedIn;
  const connected = async (...person: Parameters<typeof staff>) => {
    const signedIn = await staff(...person);
    return { ...signedIn, listener: await connect(signedIn) };
  };
  /** Stores an event and notifies its hub. Returns its number. */
  const announce = async (event: EventFields = {}): Promise<number> => {
    const seq = await storeEvent(ctx, event);
    await hubOf(event.audience ?? "staff").notify();
    return seq;
  };
  return { ctx, connect, staff, connected, announce };
}

/** Returns the numbers of the events that somebody receives, once there are as many as said. */
export async function received({ seqs }: Listener, count = 1): Promise<number[]> {
  await eventually(() => seqs().length >= count);
  return seqs();
}

/** Returns the frames that somebody receives, once there are as many as said. */
export async function framesOf({ frames }: Listener, count = 1): Promise<ServerFrame[]> {
  await eventually(() => frames.length >= count);
  return frames;
}

/** Returns what a hub stores with each of its open sockets. */
export const openSockets = (audience: Audience): Promise<SocketState[]> =>
  runInDurableObject(hubOf(audience), (_hub, state) =>
    state
      .getWebSockets()
      .filter((socket) => socket.readyState === WebSocket.OPEN)
      .map(socketStateOf),
  );

export const connectToHub = (audience: Audience, { userId, sessionHash, role }: SignedIn) =>
  hubOf(audience).fetch("https://hub/", {
    headers: { Upgrade: "websocket", "X-Live-User": userId, "X-Live-Session": sessionHash, "X-Live-Role": role },
  });

type EventFields = { audience?: Audience; type?: LiveEventType; label?: string; actorId?: string | null };

/** Stores an event without notifying the hub. Returns its number. */
export async function storeEvent(
  ctx: Ctx,
  { audience = "staff", type = "new_submission", label = "Priya Raman", actorId = null }: EventFields = {},
): Promise<number> {
  const [row] = await ctx.db
    .insert(liveEvents)
    .values({
      audience,
      type,
      subject_type: "submission",
      subject_id: ctx.newId("sub"),
      label,
      actor_id: actorId,
      at: ctx.now(),
    })
    .returning({ seq: liveEvents.seq });
  if (!row) throw new Error("The event was not stored");
  return row.seq;
}

/** Waits until a condition is true, at most two seconds. The test then asserts the result itself. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_000 && !(await condition()); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 2));
}

/** Waits long enough to receive a frame, in tests that expect none or no more. */
export const shortWait = () => new Promise((resolve) => setTimeout(resolve, 60));

/** Replaces bindings of the staff hub while some work runs. */
export async function withBindings(changes: object, work: () => Promise<void>): Promise<void> {
  const setBindings = (env: object) =>
    runInDurableObject(hubOf("staff"), (hub) => {
      (hub as unknown as { env: object }).env = env;
    });
  await setBindings({ ...bindings, ...changes });
  try {
    await work();
  } finally {
    await setBindings(bindings);
  }
}
