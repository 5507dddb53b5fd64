import { sql } from "drizzle-orm";
import { missingPaths, pageViews } from "~/db/schema/site";
import { settingsOf } from "~/features/settings/queries.server";
import { rulesFor } from "~/lib/areas";
import { addDays, type Duration, dayIn, type Instant, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { MissingPath, MissingPathCounts, PageViews } from "./model";

/**
 * Answering a request costs far less than a write. What an isolate loses when it is ended is the count of this time.
 */
const COLLECTED_FOR: Duration = seconds(5);
/** A request that has promised to write may have been ended by the runtime. */
const WRITE_INTERVAL: Duration = seconds(15);
/** The memory that robots can fill, and the rows of a write. */
const PATHS_COLLECTED = 1_000;

/** In UTC: counting must not need to read the settings. */
const dayOf = (at: Instant): string => dayIn("UTC", at);

/**
 * `write` gets one JSON object, with a number for each `<day> <path>`; paths over the limit share the empty path. The
 * clock is only asked from one request to the next, since it stands still within one.
 */
function collectRequests<Context extends Pick<Ctx, "now">>(
  write: (ctx: Context, collected: string) => Promise<void>,
): (ctx: Context, path: string) => Promise<void> {
  const collected = new Map<string, number>();
  let writeAfter: Instant = 0;

  return async function count(ctx, path) {
    const now = ctx.now();
    const ofPath = `${dayOf(now)} ${path}`;
    const key = collected.has(ofPath) || collected.size < PATHS_COLLECTED ? ofPath : `${dayOf(now)} `;
    collected.set(key, (collected.get(key) ?? 0) + 1);
    if (now < writeAfter) return;
    writeAfter = now + WRITE_INTERVAL;
    await scheduler.wait(COLLECTED_FOR);
    writeAfter = 0;
    const asJson = JSON.stringify(Object.fromEntries(collected));
    collected.clear();
    await write(ctx, asJson);
  };
}

/** Robots ask for thousands in a day. */
const PATHS_PER_DAY = 1_000;
const PATH_MAX = 200;
const SHOWN = 25;
const PATH_DAYS_KEPT = 30;

export const firstKeptDay = (now: Instant): string => addDays(dayOf(now), -PATH_DAYS_KEPT);

/** Ids in the signed-in areas are nobody's business. */
export const isMissingPage = ({ request: { url } }: Pick<Ctx, "request">, status: number | undefined): boolean =>
  status === 404 && rulesFor(url.pathname).area === "site" && !url.searchParams.has("_data");

const t = missingPaths;

/**
 * New paths are kept as long as there is room. The row of the day knows how many there are: asking it costs one row
 * instead of a thousand.
 */
const collectPath = collectRequests(async ({ db }: Pick<Ctx, "db" | "now">, collected) => {
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
 * The path is stored in printable ASCII; its query is not, and neither are parts that may name a person or hold a
 * token.
 */
export const countMissingPath = (ctx: Pick<Ctx, "db" | "now" | "request">): Promise<void> =>
  collectPath(ctx, withoutPersonalParts(ctx.request.url.pathname).slice(0, PATH_MAX));

const PERSONAL = /[^/]*(?:@|%40)[^/]*|[^/]{61,}/gi;

const withoutPersonalParts = (path: string): string => path.replace(PERSONAL, "...");

export async function listMissingPaths({ db, now }: Pick<Ctx, "db" | "now">): Promise<MissingPathCounts> {
  const today = dayOf(now());
  const days = JSON.stringify(Array.from({ length: PATH_DAYS_KEPT }, (_, ago) => addDays(today, -ago)));
  const [paths, [all]] = await Promise.all([
    db.all<MissingPath>(sql`
      SELECT day, path, hits FROM ${t} WHERE day > ${firstKeptDay(now())} AND path <> ''
      ORDER BY day DESC, hits DESC LIMIT ${SHOWN}`),
    db.all<{ hits: number }>(sql`
      SELECT coalesce(sum(hits), 0) AS hits FROM ${t} WHERE path = '' AND day IN (SELECT value FROM json_each(${days}))`),
  ]);
  return { paths, otherRequests: paths.reduce((rest, { hits }) => rest - hits, all?.hits ?? 0) };
}

const VIEW_DAYS_KEPT = 400;
const DAYS_SHOWN = 30;

export const firstDayOfViews = (now: Instant): string => addDays(dayOf(now), -VIEW_DAYS_KEPT);

type Viewed = { method: string; status: number | undefined; isAhead: boolean };

export function isPageView({ request: { url } }: Pick<Ctx, "request">, { method, status, isAhead }: Viewed): boolean {
  if (method !== "GET" || isAhead || (status !== 200 && status !== 304)) return false;
  const rules = rulesFor(url.pathname);
  return rules.area === "site" && rules.isCached && !url.searchParams.has("_data");
}

type Counting = Pick<Ctx, "db" | "now" | "publishedSettings">;

const collectView = collectRequests(async ({ db, publishedSettings }: Counting, views) => {
  const { values } = await publishedSettings();
  if (!settingsOf(values).enableAnalytics) return;
  await db.run(sql`
    INSERT INTO ${pageViews}(day, path, views)
    SELECT substr(key, 1, 10), substr(key, 12), value FROM json_each(${views}) WHERE true
    ON CONFLICT(day, path) DO UPDATE SET views = views + excluded.views`);
});

/**
 * Path and day, nothing of the person. The pages are those of a table, so that nobody fills the database with others.
 */
export const countPageView = (ctx: Counting & Pick<Ctx, "request">): Promise<void> =>
  collectView(ctx, ctx.request.url.pathname.toLowerCase());

export const listPageViews = ({ db, now }: Pick<Ctx, "db" | "now">): Promise<PageViews[]> =>
  db.all<PageViews>(sql`
    SELECT path, sum(views) AS views FROM ${pageViews} WHERE day > ${addDays(dayOf(now()), -DAYS_SHOWN)}
    GROUP BY path ORDER BY views DESC, path`);
