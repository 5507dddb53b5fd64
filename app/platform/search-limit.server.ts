import { type Instant, minutes } from "~/lib/time";
import type { Ctx } from "./context.server";
import { takeLimit } from "./rate-limit.server";

const MINUTE = minutes(1);

/**
 * Counts a search of a person, in the round trip of the reads that are asked for beside it. Returns when they may
 * search again, or null if this search is allowed or is none. Every minute is counted by itself: somebody who searches
 * slowly all day never reaches the limit.
 */
export async function countSearch(
  { db, now }: Pick<Ctx, "db" | "now">,
  userId: string,
  text: string | null,
): Promise<Instant | null> {
  if (!text) return null;
  const minute = Math.floor(now() / MINUTE);
  const counting = { select: db.select, insert: db.insertBesideReads };
  const limit = await takeLimit(counting, "search_user", `${userId}:${minute}`, now());
  return limit.allowed ? null : (minute + 1) * MINUTE;
}
