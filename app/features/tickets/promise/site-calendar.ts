import { brand } from "~/content/brand";
import type { Calendar } from "~/lib/calendar";
import { calendarOf } from "~/lib/opening-hours";

/** Returns when people work here: the opening hours, in the site's time zone. The same object for the same zone. */
export const siteCalendar = (zone: string): Calendar => calendarOf({ zone, openingHours: brand.openingHours });
