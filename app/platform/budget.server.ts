import { type Duration, seconds } from "~/lib/time";
import type { Ctx } from "./context.server";

export type Limits = { statements: number; subrequests: number; time: Duration };

/**
 * Limits one invocation of the schedule. The platform ends it at 1,000 statements at D1, of which each one in a batch
 * may count, at 1,000 requests to D1, KV, R2, hubs and others together, and after 30 seconds of processor time, which
 * cannot be read, but is less than the time that has passed. What lies between is for the part that is under way when a
 * limit is reached.
 */
export const RUN_LIMITS: Limits = { statements: 700, subrequests: 600, time: seconds(25) };

export type Meter = {
  /** Returns which share of the limits is used, of the one that is nearest: 1 is all. */
  used: () => number;
  /** Returns the context with every request to KV, R2, mail and hubs counted. `beforeChange` runs before a change. */
  measured: (ctx: Ctx, beforeChange: () => Promise<void>) => Ctx;
};

/** Measures what an invocation uses from now on. Statements and round trips to D1 are counted where they are sent. */
export function meterOf({ cost, now }: Pick<Ctx, "cost" | "now">, limits: Limits): Meter {
  const start = { ...cost, at: now() };
  let calls = 0;
  return {
    used: () =>
      Math.max(
        (cost.queries - start.queries) / limits.statements,
        (cost.trips - start.trips + calls) / limits.subrequests,
        (now() - start.at) / limits.time,
      ),
    measured: (ctx, beforeChange) => {
      const counted = <Binding extends object>(binding: Binding): Binding =>
        withEachCall(binding, async (method) => {
          if (CHANGES.has(method)) await beforeChange();
          calls += 1;
        });
      return {
        ...ctx,
        db: ctx.db.guarded(beforeChange),
        kv: counted(ctx.kv),
        files: counted(ctx.files),
        mailer: counted(ctx.mailer),
        live: counted(ctx.live),
      };
    },
  };
}

/** Names the methods that change something, or send it. */
const CHANGES: ReadonlySet<string> = new Set(["put", "delete", "send"]);

/** Returns an object of asynchronous functions that does something before each of them. */
const withEachCall = <Binding extends object>(binding: Binding, before: (method: string) => Promise<void>): Binding =>
  new Proxy(binding, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return async (...values: unknown[]): Promise<unknown> => {
        await before(String(name));
        return Reflect.apply(member, target, values);
      };
    },
  });
