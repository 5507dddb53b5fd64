import { runInDurableObject } from "cloudflare:test";
import type { Audience } from "~/access/live-events";
import { liveEvents } from "~/db/schema/live";
import type { LiveEventType } from "~/lib/live-event-types";
import type { ServerFrame } from "~/live/protocol";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { bindings } from "./context";

export const hubOf = (audience: Audience) => bindings.LIVE.get(bindings.LIVE.idFromName(audience));

/** A socket to a hub, as a browser would hold it, with everything that came through it. */
export type Listener = {
  frames: ServerFrame[];
  /** Numbers of the events received, in the order in which they came. */
  seqs: () => number[];
  send: (frame: unknown) => void;
  sendRaw: (data: string | ArrayBuffer) => void;
  /** The code with which the hub ends the connection. */
  closed: Promise<number>;
  isOpen: () => boolean;
  leave: () => void;
};

/** Connects somebody the worker would have let in. */
export async function listen(audience: Audience, person: SignedIn): Promise<Listener> {
  const response = await announce(audience, person);
  const socket = response.webSocket;
  if (!socket) throw new Error(`The hub answered ${response.status}`);
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
    leave: () => {
      if (open) socket.close(1000);
    },
  };
}

export const announce = (audience: Audience, { userId, sessionHash, role }: SignedIn) =>
  hubOf(audience).fetch("https://hub/", {
    headers: { Upgrade: "websocket", "X-Live-User": userId, "X-Live-Session": sessionHash, "X-Live-Role": role },
  });

type Happening = { audience?: Audience; type?: LiveEventType; label?: string; actorId?: string | null };

/** Something that has happened; the hub has not been told yet. Returns its number. */
export async function happen(
  ctx: Ctx,
  { audience = "staff", type = "new_submission", label = "Priya Raman", actorId = null }: Happening = {},
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

/** Until a thing is so, or two seconds have passed. */
export async function eventually(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !isSo(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Long enough for a frame that is under way to arrive, where the point is that none does. */
export const aMoment = () => new Promise((resolve) => setTimeout(resolve, 60));

/** Lets the staff hub see other bindings than the real ones while something runs. */
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
