import * as z from "zod";
import { describeError, withTimeout } from "~/lib/errors";
import { type Duration, seconds } from "~/lib/time";
import type { Ctx } from "./context.server";
import { hashToken } from "./crypto.server";
import { decryptValue, encryptValue } from "./data-keys.server";

/*
 * What belongs to a session and decides nothing is kept in KV: encrypted, bound to its key, with an end. KV shows a
 * change elsewhere after a minute or more, remembers misses for as long, and takes one write a second for a key. So
 * each value is written once, under a key that nobody can guess, and whoever reads it can do without.
 */

/** The kinds of values, as their keys begin. */
type Kind = "sess" | "unsent" | "sign-up";

/** `idHash`: of a random id that only one browser has. */
export const sessionDataKey = (kind: Kind, idHash: string): string => `${kind}:${idHash}`;

const storedWith = <Value>(value: z.ZodType<Value>) => z.object({ value, expiresAt: z.number() });

/** `lifetime`: at least a minute. Rejects when KV does not take it. */
export async function keepSessionData(
  ctx: Pick<Ctx, "config" | "kv" | "now">,
  key: string,
  value: unknown,
  lifetime: Duration,
): Promise<void> {
  const stored = { value, expiresAt: ctx.now() + lifetime };
  await ctx.kv.put(key, encryptValue(ctx.config, key, JSON.stringify(stored)), {
    expirationTtl: Math.ceil(lifetime / 1000),
  });
}

export async function keepUnderNewId(
  ctx: Pick<Ctx, "config" | "kv" | "log" | "newToken" | "now" | "request">,
  kind: Kind,
  value: unknown,
  lifetime: Duration,
): Promise<string | null> {
  const id = ctx.newToken();
  try {
    await keepSessionData(ctx, sessionDataKey(kind, hashToken(id)), value, lifetime);
    return id;
  } catch (error) {
    ctx.log("warn", { event: "session_data_not_kept", request_id: ctx.request.id, kind, error: describeError(error) });
    return null;
  }
}

const READ_TIMEOUT = seconds(2);

/** KV reads as many at once. */
const KEYS_AT_ONCE = 100;

/**
 * Reads the values of one kind by their keys; what is not among them has ended, has not arrived here yet, or was not
 * written by us. Null: KV did not answer, so nothing is known of any of them.
 */
export async function readSessionData<Value>(
  ctx: Pick<Ctx, "config" | "kv" | "log" | "now" | "request">,
  keys: readonly string[],
  schema: z.ZodType<Value>,
): Promise<Map<string, Value> | null> {
  const found = new Map<string, Value>();
  try {
    for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
      const stored = await withTimeout(READ_TIMEOUT, ctx.kv.get(keys.slice(from, from + KEYS_AT_ONCE)));
      for (const [key, encrypted] of stored) {
        const value = encrypted === null ? undefined : openValue(ctx, { key, encrypted, schema });
        if (value !== undefined) found.set(key, value);
      }
    }
  } catch (error) {
    ctx.log("warn", { event: "session_data_not_read", request_id: ctx.request.id, error: describeError(error) });
    return null;
  }
  return found;
}

type Encrypted<Value> = { key: string; encrypted: string; schema: z.ZodType<Value> };

function openValue<Value>(
  ctx: Pick<Ctx, "config" | "now">,
  { key, encrypted, schema }: Encrypted<Value>,
): Value | undefined {
  try {
    const { value, expiresAt } = storedWith(schema).parse(JSON.parse(decryptValue(ctx.config, key, encrypted)));
    return expiresAt > ctx.now() ? value : undefined;
  } catch {
    // Of a key that is not configured any more, or of a version of us that kept something else.
    return undefined;
  }
}

/** After the response; what stays after a failure ends by itself. */
export function deleteSessionData(ctx: Pick<Ctx, "kv" | "after">, key: string): void {
  // An async function, because without the binding `ctx.kv.delete` throws instead of rejecting.
  const remove = async () => ctx.kv.delete(key);
  ctx.after(remove());
}
