import { sql } from "drizzle-orm";
import { missingPaths } from "~/db/schema/site";
import { rulesFor } from "~/lib/areas";
import { addDays, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { collectRequests, dayOf } from "./collect-requests.server";
import type { MissingPath, MissingPaths } from "./model";

/** Limits the paths that are kept of a day: robots ask for thousands. */
const PATHS_PER_DAY = 1_000;
const PATH_MAX = 200;
const SHOWN = 25;
const DAYS_KEPT = 30;

/** Returns the first day that is kept. */
export const firstKeptDay = (now: Instant): string => addDays(dayOf(now), -DAYS_KEPT);

/**
 * Tells whether a response says that a public address has no page. Ids in the signed-in areas are nobody's business.
 */
export const isMissingPage = ({ request: { url } }: Pick<Ctx, "request">, status: number | undefined): boolean =>
  status === 404 && rulesFor(url.pathname).area === "site" && !url.searchParams.has("_data");

const t = missingPaths;

/**
 * Adds to the paths that are known of their day, keeps new ones as long as there is room, and adds everything to the
 * row of the day, which knows how many paths are kept: asking it costs one row instead of a thousand.
 */
const collect = collectRequests(async ({ db }: Pick<Ctx, "db" | "now">, collected) => {
  await db.run(sql`
    WITH asked AS (SELECT substr(key, 1, 10) AS day, substr(key, 12) AS path, value AS hits FROM json_each(${collected})),
    numbered AS (
      SELECT asked.*, coalesce(known.number, coalesce(whole.number, 0)
        + row_number() OVER (PARTITION BY asked.day, known.path IS NULL ORDER BY asked.hits DESC, asked.path)) AS number
      FROM asked LEFT JOIN ${t} known ON known.day = asked.day AND known.path = asked.path
      LEFT JOIN ${t} whole ON whole.day = asked.day AND whole.path = ''
      WHERE asked.path <> ''
    ),
    kept AS (SELECT * FROM numbered WHERE number <= ${PATHS_PER_DAY})
    INSERT INTO ${t}(day, path, number, hits)
    SELECT day, path, number, hits FROM kept
    UNION ALL
    SELECT day, '', coalesce((SELECT max(number) FROM kept WHERE kept.day = asked.day), 0), sum(hits) FROM asked
    GROUP BY day
    ON CONFLICT(day, path) DO UPDATE SET hits = hits + excluded.hits, number = max(number, excluded.number)`);
});

/**
 * Counts that an address without a page was asked for. The path is stored as browsers send it, in printable ASCII; its
 * query is not, and neither are parts that may name a person or hold a token.
 */
export const countMissingPath = (ctx: Pick<Ctx, "db" | "now" | "request">): Promise<void> =>
  collect(ctx, withoutPersonalParts(ctx.request.url.pathname).slice(0, PATH_MAX));

/** Matches a part of a path with an email address in it, or too long to be a word. */
const PERSONAL = /[^/]*(?:@|%40)[^/]*|[^/]{61,}/gi;

const withoutPersonalParts = (path: string): string => path.replace(PERSONAL, "...");

/** Lists the addresses that were asked for most on the newest days, and counts the requests to all others. */
export async function listMissingPaths({ db, now }: Pick<Ctx, "db" | "now">): Promise<MissingPaths> {
  const today = dayOf(now());
  const days = JSON.stringify(Array.from({ length: DAYS_KEPT }, (_, ago) => addDays(today, -ago)));
  const [paths, [all]] = await Promise.all([
    db.all<MissingPath>(sql`
      SELECT day, path, hits FROM ${t} WHERE day > ${firstKeptDay(now())} AND path <> ''
      ORDER BY day DESC, hits DESC LIMIT ${SHOWN}`),
    db.all<{ hits: number }>(sql`
      SELECT coalesce(sum(hits), 0) AS hits FROM ${t} WHERE path = '' AND day IN (SELECT value FROM json_each(${days}))`),
  ]);
  return { paths, otherRequests: paths.reduce((rest, { hits }) => rest - hits, all?.hits ?? 0) };
}
