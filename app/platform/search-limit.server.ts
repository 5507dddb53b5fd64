import type { Instant } from "~/lib/time";
import type { Ctx } from "./context.server";
import { takeLimitOfPeriod } from "./rate-limit.server";

/**
 * Counts a search of a person, in the round trip of the reads that are asked for beside it. Returns when they may
 * search again, or null if this search is allowed or is none.
 */
export async function countSearch(
  { db, now }: Pick<Ctx, "db" | "now">,
  userId: string,
  text: string | null,
): Promise<Instant | null> {
  if (!text) return null;
  return takeLimitOfPeriod({ select: db.select, insert: db.insertBesideReads }, "search_user", userId, now());
}
