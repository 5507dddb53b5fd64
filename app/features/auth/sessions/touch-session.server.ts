import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { sessions } from "~/db/schema/sessions";
import type { Ctx } from "~/platform/context.server";
import { lifetimesOf, TOUCH_INTERVAL } from "../model";

/**
 * Moves the end of an active session after the response, at most every five minutes and never past its absolute end.
 * The conditions stand in the statement: a session that has ended meanwhile stays ended.
 */
export function touchSession(ctx: Ctx): void {
  const { signedIn } = ctx;
  const now = ctx.now();
  if (!signedIn || signedIn.lastSeenAt > now - TOUCH_INTERVAL) return;
  // The loaders of a page share one context: the first one speaks for all.
  ctx.signedIn = { ...signedIn, lastSeenAt: now };
  const idleEnd = now + lifetimesOf(signedIn.role).idle;
  ctx.after(
    ctx.db
      .update(sessions)
      .set({ last_seen_at: now, idle_expires_at: sql`min(${idleEnd}, ${sessions.abs_expires_at})` })
      .where(
        and(
          eq(sessions.id_hash, signedIn.sessionHash),
          isNull(sessions.revoked_at),
          lte(sessions.last_seen_at, now - TOUCH_INTERVAL),
          gt(sessions.idle_expires_at, now),
        ),
      )
      .run(),
  );
}
