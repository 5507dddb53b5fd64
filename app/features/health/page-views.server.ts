import { sql } from "drizzle-orm";
import { pageViews } from "~/db/schema/site";
import { settingsOf } from "~/features/settings/queries.server";
import { rulesFor } from "~/lib/areas";
import { addDays, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { collectRequests, dayOf } from "./collect-requests.server";
import type { PageViews } from "./model";

const DAYS_KEPT = 400;
const DAYS_SHOWN = 30;

/** Returns the first day that is kept. */
export const firstDayOfViews = (now: Instant): string => addDays(dayOf(now), -DAYS_KEPT);

type Viewed = { method: string; status: number | undefined; isAhead: boolean };

/** Tells whether a response is a view of a public page, one that the person sees and not one loaded ahead. */
export function isPageView({ request: { url } }: Pick<Ctx, "request">, { method, status, isAhead }: Viewed): boolean {
  if (method !== "GET" || isAhead || (status !== 200 && status !== 304)) return false;
  const rules = rulesFor(url.pathname);
  return rules.area === "site" && rules.isCached && !url.searchParams.has("_data");
}

type Counting = Pick<Ctx, "db" | "now" | "publishedSettings">;

const collect = collectRequests(async ({ db, publishedSettings }: Counting, views) => {
  const { values } = await publishedSettings();
  if (!settingsOf(values).enableAnalytics) return;
  await db.run(sql`
    INSERT INTO ${pageViews}(day, path, views)
    SELECT substr(key, 1, 10), substr(key, 12), value FROM json_each(${views}) WHERE true
    ON CONFLICT(day, path) DO UPDATE SET views = views + excluded.views`);
});

/**
 * Counts that a public page was opened, unless the settings say otherwise: its path and the day, nothing of the person.
 * The pages are those of a table, so that nobody fills the database with others.
 */
export const countPageView = (ctx: Counting & Pick<Ctx, "request">): Promise<void> =>
  collect(ctx, ctx.request.url.pathname.toLowerCase());

/** Lists how often each public page was opened in the last 30 days, the most opened first. */
export const listPageViews = ({ db, now }: Pick<Ctx, "db" | "now">): Promise<PageViews[]> =>
  db.all<PageViews>(sql`
    SELECT path, sum(views) AS views FROM ${pageViews} WHERE day > ${addDays(dayOf(now()), -DAYS_SHOWN)}
    GROUP BY path ORDER BY views DESC, path`);
