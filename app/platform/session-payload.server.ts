import type { Duration, Instant } from "~/lib/time";
import type { Ctx } from "./context.server";

/** The copy of a session in KV, beside the sessions table: shown to the person in lists of their devices, stale at worst. */
export type SessionPayload = { device: string; at: Instant };

const payloadKey = (sessionHash: string) => `sess:${sessionHash}`;

/** Writes the payload after the response, for as long as the session can possibly live. A failure is only logged. */
export function storeSessionPayload(ctx: Ctx, sessionHash: string, payload: SessionPayload, life: Duration): void {
  // Inside a function of its own: without its binding KV fails before there is a promise to fail.
  const put = async () =>
    ctx.kv.put(payloadKey(sessionHash), JSON.stringify(payload), { expirationTtl: Math.ceil(life / 1000) });
  ctx.after(put());
}

/** Removes the payload after the response. If that fails, an ended session's payload lingers and opens nothing. */
export function deleteSessionPayload(ctx: Ctx, sessionHash: string): void {
  const remove = async () => ctx.kv.delete(payloadKey(sessionHash));
  ctx.after(remove());
}
