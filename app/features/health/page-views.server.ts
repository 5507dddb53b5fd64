import { sql } from "drizzle-orm";
import { pageViews } from "~/db/schema/site";
import { settingsOf } from "~/features/settings/queries.server";
import { rulesFor } from "~/lib/areas";
import { addDays, dayIn, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { PageViews } from "./model";

const DAYS_KEPT = 400;
const DAYS_SHOWN = 30;

/** Returns the day in UTC: counting must not need the database's settings. */
const dayOf = (at: Instant): string => dayIn("UTC", at);

/** Returns the first day that is kept. */
export const firstDayOfViews = (now: Instant): string => addDays(dayOf(now), -DAYS_KEPT);

type Viewed = { method: string; status: number | undefined; isAhead: boolean };

/** Tells whether a response is a view of a public page, one that the person sees and not one loaded ahead. */
export function isPageView({ request: { url } }: Pick<Ctx, "request">, { method, status, isAhead }: Viewed): boolean {
  if (method !== "GET" || isAhead || (status !== 200 && status !== 304)) return false;
  const rules = rulesFor(url.pathname);
  return rules.area === "site" && rules.isCached && !url.searchParams.has("_data");
}

/**
 * Counts that a public page was opened, unless the settings say otherwise: its path and the day, nothing of the person.
 * The pages are those of a table, so that nobody fills the database with others.
 */
export async function countPageView(ctx: Pick<Ctx, "db" | "now" | "request" | "publishedSettings">): Promise<void> {
  const { values } = await ctx.publishedSettings();
  if (!settingsOf(values).enableAnalytics) return;
  const path = ctx.request.url.pathname.toLowerCase();
  await ctx.db
    .insert(pageViews)
    .values({ day: dayOf(ctx.now()), path, views: 1 })
    .onConflictDoUpdate({ target: [pageViews.day, pageViews.path], set: { views: sql`${pageViews.views} + 1` } });
}

/** Lists how often each public page was opened in the last 30 days, the most opened first. */
export const listPageViews = ({ db, now }: Pick<Ctx, "db" | "now">): Promise<PageViews[]> =>
  db.all<PageViews>(sql`
    SELECT path, sum(views) AS views FROM ${pageViews} WHERE day > ${addDays(dayOf(now()), -DAYS_SHOWN)}
    GROUP BY path ORDER BY views DESC, path`);
