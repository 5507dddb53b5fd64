import { addDays } from "~/lib/time";

/** Returns the first and the last day of a month, `YYYY-MM`. */
export const daysOfMonth = (month: string): { from: string; to: string } => {
  const from = `${month}-01`;
  return { from, to: addDays(`${addDays(from, 31).slice(0, 7)}-01`, -1) };
};
