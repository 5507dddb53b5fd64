import { addDays, isDay } from "~/lib/time";
import { DATES_BACKWARDS } from "~/lists/copy";
import { areDatesReversed } from "~/lists/criteria";
import { CHOOSE_BOTH, DAYS_AHEAD, TOO_LONG } from "./copy";
import { REPORT_DAYS_MAX, type RejectedRequest, type ReportRequest, typeIn } from "./model";

/** Sets the days of a report that nobody has asked otherwise of. */
const DEFAULT_DAYS = 30;

/** Reads what an address asks for. Without any date it is the last 30 days. */
export function readRequest(params: URLSearchParams, today: string): ReportRequest | RejectedRequest {
  const type = typeIn(params);
  if (!params.has("from") && !params.has("to")) return { type, from: addDays(today, 1 - DEFAULT_DAYS), to: today };
  const [from, to] = [params.get("from")?.trim() ?? "", params.get("to")?.trim() ?? ""];
  const errors = problemsOf({ from, to }, today);
  return errors ? { type, from, to, errors } : { type, from, to };
}

function problemsOf({ from, to }: { from: string; to: string }, today: string): RejectedRequest["errors"] | null {
  const missing = { ...(isDay(from) ? {} : { from: CHOOSE_BOTH }), ...(isDay(to) ? {} : { to: CHOOSE_BOTH }) };
  if (Object.keys(missing).length > 0) return missing;
  if (areDatesReversed({ from, to })) return { from: DATES_BACKWARDS };
  if (to > today) return { to: DAYS_AHEAD };
  return addDays(from, REPORT_DAYS_MAX) <= to ? { from: TOO_LONG } : null;
}
