import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import { sessions } from "~/db/schema/sessions";
import type { Ctx } from "~/platform/context.server";
import { TOUCH_INTERVAL } from "../model";
import { sessionLimits } from "./session-limits.server";

/**
 * Extends an active session after the response, at most every five minutes and never past its absolute expiry. The
 * statement checks the conditions again, so a session that has ended in the meantime stays ended.
 */
export function touchSession(ctx: Pick<Ctx, "db" | "now" | "signedIn" | "after">): void {
  const { signedIn } = ctx;
  const now = ctx.now();
  if (!signedIn || signedIn.lastSeenAt > now - TOUCH_INTERVAL) return;
  // The loaders of a page share one context, so that only the first one extends the session.
  ctx.signedIn = { ...signedIn, lastSeenAt: now };
  const limits = sessionLimits(signedIn.role);
  const end = sql`min(${sessions.abs_expires_at}, ${sessions.created_at} + ${limits.absolute})`;
  ctx.after(
    ctx.db
      .update(sessions)
      .set({ last_seen_at: now, idle_expires_at: sql`min(${now} + ${limits.idle}, ${end})`, abs_expires_at: end })
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
