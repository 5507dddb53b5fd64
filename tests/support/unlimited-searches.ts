import { afterAll, beforeAll } from "vitest";
import { RATE_LIMITS } from "~/platform/rate-limits.server";

/** Lets the tests of a file search more often, in one instant of their clock, than a person may. */
export function withoutSearchLimit() {
  const searches = RATE_LIMITS.search_user as { limit: number };
  const { limit } = searches;
  beforeAll(() => {
    searches.limit = Number.MAX_SAFE_INTEGER;
  });
  afterAll(() => {
    searches.limit = limit;
  });
}
