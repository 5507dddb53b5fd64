import { sql } from "drizzle-orm";
import { pageViews } from "~/db/schema/site";
import { settingsOf } from "~/features/settings/queries.server";
import { rulesFor } from "~/lib/areas";
import { addDays, type Duration, dayIn, type Instant, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { PageViews } from "./model";

const DAYS_KEPT = 400;
const DAYS_SHOWN = 30;
/**
 * Sets how long views are collected before they are written together: serving a page from the cache costs far less than
 * a write. Nobody waits for it, and what an isolate loses when it is ended is a few views.
 */
const COLLECTED_FOR: Duration = seconds(5);
/** Limits how long a request that has promised to write is waited for: the runtime may have ended it. */
const PROMISE_LIFETIME: Duration = seconds(15);

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

/** Holds the views of this isolate that are not written yet, by day and path. */
const collected = new Map<string, number>();

/** Says until when a request has promised to write the counted views. */
let promisedUntil: Instant = 0;

/**
 * Counts that a public page was opened, unless the settings say otherwise: its path and the day, nothing of the person.
 * The pages are those of a table, so that nobody fills the database with others.
 */
export async function countPageView(ctx: Pick<Ctx, "db" | "now" | "request" | "publishedSettings">): Promise<void> {
  const key = `${dayOf(ctx.now())} ${ctx.request.url.pathname.toLowerCase()}`;
  collected.set(key, (collected.get(key) ?? 0) + 1);
  if (ctx.now() < promisedUntil) return;
  promisedUntil = ctx.now() + PROMISE_LIFETIME;
  await scheduler.wait(COLLECTED_FOR);
  promisedUntil = 0;
  const views = JSON.stringify(Object.fromEntries(collected));
  collected.clear();
  const { values } = await ctx.publishedSettings();
  if (!settingsOf(values).enableAnalytics) return;
  await ctx.db.run(sql`
    INSERT INTO ${pageViews}(day, path, views)
    SELECT substr(key, 1, 10), substr(key, 12), value FROM json_each(${views}) WHERE true
    ON CONFLICT(day, path) DO UPDATE SET views = views + excluded.views`);
}

/** Lists how often each public page was opened in the last 30 days, the most opened first. */
export const listPageViews = ({ db, now }: Pick<Ctx, "db" | "now">): Promise<PageViews[]> =>
  db.all<PageViews>(sql`
    SELECT path, sum(views) AS views FROM ${pageViews} WHERE day > ${addDays(dayOf(now()), -DAYS_SHOWN)}
    GROUP BY path ORDER BY views DESC, path`);
