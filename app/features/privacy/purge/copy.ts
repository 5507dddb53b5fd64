import { plural } from "~/lib/text";
import { type Counted, PURGE_DAYS } from "./model";

export const NOT_PURGED = "Nothing was purged";
export const DAYS_WRONG = `Give a whole number of days, from ${PURGE_DAYS.min} to ${PURGE_DAYS.max.toLocaleString("en-US")}`;
export const NOTHING_TO_PURGE = "There is nothing to purge.";
export const NOT_ADMIN_ANY_MORE = "You are no administrator any more.";

export const PURGING = {
  title: "Success",
  message: "The submissions are being deleted. “Last purges” shows how far it is.",
};

/** Says how many submissions a preview has counted. */
export const countedText = ({ count, isMore }: Counted): string =>
  `${isMore ? "More than " : ""}${plural(count, "submission")}`;

export const moreThanShown = (counted: Counted): string =>
  `Meanwhile there are more. ${countedText(counted)} would go. Look again, and type the word again if that is right.`;
