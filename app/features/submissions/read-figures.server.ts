import { getSettings } from "~/features/settings/queries.server";
import { shortWeekday } from "~/lib/due";
import { dayIn } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { countRecent, countSubmissions } from "./queries.server";

/** Reads the figures of the dashboard, in one round trip, and what day it is where the company is. */
export async function readFigures({ db, now }: Pick<Ctx, "db" | "now">) {
  const at = now();
  const [counts, recentIn, { timeZone: zone }] = await Promise.all([
    countSubmissions(db),
    countRecent(db, at),
    getSettings(db),
  ]);
  return { counts, ...recentIn(zone), zone, weekday: shortWeekday(dayIn(zone, at)) };
}
