import { sql } from "drizzle-orm";
import { missingPaths } from "~/db/schema/site";
import { rulesFor } from "~/lib/areas";
import { addDays, dayIn, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { MissingPath } from "./model";

/** Limits the paths that are counted by themselves in a day: robots ask for thousands. */
const PATHS_PER_DAY = 500;
const PATH_MAX = 200;
const SHOWN = 25;
const DAYS_KEPT = 30;

/** Returns the day in UTC: counting must not need to read the settings. */
const dayOf = (at: Instant): string => dayIn("UTC", at);

/** Returns the first day that is kept. */
export const firstKeptDay = (now: Instant): string => addDays(dayOf(now), -DAYS_KEPT);

/**
 * Tells whether a response says that a public address has no page. Ids in the signed-in areas are nobody's business.
 */
export const isMissingPage = ({ request: { url } }: Pick<Ctx, "request">, status: number | undefined): boolean =>
  status === 404 && rulesFor(url.pathname).area === "site" && !url.searchParams.has("_data");

/**
 * Counts that an address without a page was asked for. The path is stored as browsers send it, in printable ASCII; its
 * query is not, and neither are parts that may name a person or hold a token.
 */
export async function countMissingPath({ db, now, request }: Pick<Ctx, "db" | "now" | "request">): Promise<void> {
  const [day, path] = [dayOf(now()), withoutPersonalParts(request.url.pathname).slice(0, PATH_MAX)];
  const t = missingPaths;
  const isKnown = sql`EXISTS (SELECT 1 FROM ${t} WHERE day = ${day} AND path = ${path})`;
  await db.run(sql`
    INSERT INTO ${t}(day, path, number, hits)
    SELECT ${day}, CASE WHEN known.number < ${PATHS_PER_DAY} OR ${isKnown} THEN ${path} ELSE '' END, known.number + 1, 1
    FROM (SELECT coalesce(max(number), 0) AS number FROM ${t} WHERE day = ${day}) known
    WHERE true
    ON CONFLICT(day, path) DO UPDATE SET hits = hits + 1`);
}

/** Matches a part of a path with an email address in it, or too long to be a word. */
const PERSONAL = /[^/]*(?:@|%40)[^/]*|[^/]{61,}/gi;

const withoutPersonalParts = (path: string): string => path.replace(PERSONAL, "...");

/** Lists the addresses that were asked for most on the newest days. */
export async function listMissingPaths({ db, now }: Pick<Ctx, "db" | "now">): Promise<MissingPath[]> {
  return db.all<MissingPath>(sql`
    SELECT day, path, hits FROM ${missingPaths} WHERE day > ${firstKeptDay(now())}
    ORDER BY day DESC, hits DESC LIMIT ${SHOWN}`);
}
