import { plural } from "~/lib/text";
import { PURGE_DAYS, PURGE_WORD } from "./model";

export const NOT_PURGED = "Nothing was purged";
export const WORD_NOT_TYPED = `Type ${PURGE_WORD} in capital letters`;
export const DAYS_WRONG = `Give a whole number of days, from ${PURGE_DAYS.min} to ${PURGE_DAYS.max.toLocaleString("en-US")}`;
export const NOTHING_TO_PURGE = "There is nothing to purge.";
export const NOT_ADMIN_ANY_MORE = "You are no administrator any more.";

export const moreThanShown = (count: number): string =>
  `Meanwhile there are more: ${plural(count, "submission")} would go. Look again, and type the word again if that is right.`;

export const purging = (count: number, isMore: boolean) => ({
  title: "Success",
  message: `${isMore ? "More than " : ""}${plural(count, "submission")} will be gone within minutes.`,
});
