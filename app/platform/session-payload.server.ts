import type { Duration, Instant } from "~/lib/time";
import type { Ctx } from "./context.server";

/** Holds the device label of a session in KV. Nothing reads it yet; the sessions table decides. */
type SessionPayload = { device: string; at: Instant };

const payloadKey = (sessionHash: string) => `sess:${sessionHash}`;

/** Writes the payload after the response, with the session's longest possible lifetime. A failure is only logged. */
export function storeSessionPayload(
  ctx: Pick<Ctx, "kv" | "after">,
  sessionHash: string,
  payload: SessionPayload,
  lifetime: Duration,
): void {
  // An async function, because without the KV binding `ctx.kv.put` throws instead of rejecting.
  const put = async () =>
    ctx.kv.put(payloadKey(sessionHash), JSON.stringify(payload), { expirationTtl: Math.ceil(lifetime / 1000) });
  ctx.after(put());
}

/** Deletes the payload after the response. A failure is harmless: a payload alone gives no access. */
export function deleteSessionPayload(ctx: Pick<Ctx, "kv" | "after">, sessionHash: string): void {
  const remove = async () => ctx.kv.delete(payloadKey(sessionHash));
  ctx.after(remove());
}
