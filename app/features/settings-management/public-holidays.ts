import { addDays, weekdayOf } from "~/lib/time";

/** What becomes of a holiday on a weekend: it stays, moves to the next working day, or to the nearest one. */
type Weekend = "stays" | "next" | "nearest";

/**
 * The holidays of a whole country, by rules: "12-25" each year, "1-mon#3" the third Monday of January, "5-mon#-1" the
 * last of May, "05-24<mon" the Monday on or before May 24, "easter-2" days from Easter Sunday.
 */
type Country = { label: string; weekend: Weekend; rules: readonly (readonly [rule: string, name: string])[] };

const NEW_YEAR = ["01-01", "New Year’s Day"] as const;
const GOOD_FRIDAY = ["easter-2", "Good Friday"] as const;
const EASTER_MONDAY = ["easter+1", "Easter Monday"] as const;
const ASCENSION = ["easter+39", "Ascension Day"] as const;
const WHIT_MONDAY = ["easter+50", "Whit Monday"] as const;
const LABOUR_DAY = ["05-01", "Labour Day"] as const;
const CHRISTMAS = ["12-25", "Christmas Day"] as const;
const BOXING_DAY = ["12-26", "Boxing Day"] as const;

const COUNTRIES: Record<string, Country> = {
  us: {
    label: "United States, federal",
    weekend: "nearest",
    rules: [
      NEW_YEAR,
      ["1-mon#3", "Martin Luther King Jr. Day"],
      ["2-mon#3", "Presidents’ Day"],
      ["5-mon#-1", "Memorial Day"],
      ["06-19", "Juneteenth"],
      ["07-04", "Independence Day"],
      ["9-mon#1", "Labor Day"],
      ["10-mon#2", "Columbus Day"],
      ["11-11", "Veterans Day"],
      ["11-thu#4", "Thanksgiving"],
      CHRISTMAS,
    ],
  },
  ca: {
    label: "Canada, federal",
    weekend: "next",
    rules: [
      NEW_YEAR,
      GOOD_FRIDAY,
      EASTER_MONDAY,
      ["05-24<mon", "Victoria Day"],
      ["07-01", "Canada Day"],
      ["9-mon#1", "Labour Day"],
      ["09-30", "Truth and Reconciliation"],
      ["10-mon#2", "Thanksgiving"],
      ["11-11", "Remembrance Day"],
      CHRISTMAS,
      BOXING_DAY,
    ],
  },
  gb: {
    label: "United Kingdom, England and Wales",
    weekend: "next",
    rules: [
      NEW_YEAR,
      GOOD_FRIDAY,
      EASTER_MONDAY,
      ["5-mon#1", "Early May bank holiday"],
      ["5-mon#-1", "Spring bank holiday"],
      ["8-mon#-1", "Summer bank holiday"],
      CHRISTMAS,
      BOXING_DAY,
    ],
  },
  au: {
    label: "Australia, national",
    weekend: "next",
    rules: [
      NEW_YEAR,
      ["01-26", "Australia Day"],
      GOOD_FRIDAY,
      EASTER_MONDAY,
      ["04-25", "Anzac Day"],
      CHRISTMAS,
      BOXING_DAY,
    ],
  },
  de: {
    label: "Germany, all states",
    weekend: "stays",
    rules: [
      NEW_YEAR,
      GOOD_FRIDAY,
      EASTER_MONDAY,
      LABOUR_DAY,
      ASCENSION,
      WHIT_MONDAY,
      ["10-03", "German Unity Day"],
      CHRISTMAS,
      ["12-26", "Second Christmas Day"],
    ],
  },
  at: {
    label: "Austria",
    weekend: "stays",
    rules: [
      NEW_YEAR,
      ["01-06", "Epiphany"],
      EASTER_MONDAY,
      LABOUR_DAY,
      ASCENSION,
      WHIT_MONDAY,
      ["easter+60", "Corpus Christi"],
      ["08-15", "Assumption Day"],
      ["10-26", "National Day"],
      ["11-01", "All Saints’ Day"],
      ["12-08", "Immaculate Conception"],
      CHRISTMAS,
      ["12-26", "St. Stephen’s Day"],
    ],
  },
  fr: {
    label: "France",
    weekend: "stays",
    rules: [
      NEW_YEAR,
      EASTER_MONDAY,
      LABOUR_DAY,
      ["05-08", "Victory Day"],
      ASCENSION,
      WHIT_MONDAY,
      ["07-14", "Bastille Day"],
      ["08-15", "Assumption Day"],
      ["11-01", "All Saints’ Day"],
      ["11-11", "Armistice Day"],
      CHRISTMAS,
    ],
  },
};

export const HOLIDAY_COUNTRIES = Object.entries(COUNTRIES).map(([value, { label, rules }]) => ({
  value,
  label: `${label} (${rules.length})`,
}));

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const two = (number: number) => String(number).padStart(2, "0");

/** The anonymous algorithm of the Gregorian calendar (Meeus, "Astronomical Algorithms", chapter 8). */
function easterOf(year: number): string {
  const [golden, century] = [year % 19, Math.floor(year / 100)];
  const epact = (19 * golden + century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 15) % 30;
  const moon = epact - Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11));
  const weekday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7;
  const offset = moon - weekday;
  const month = 3 + Math.floor((offset + 40) / 44);
  return `${year}-${two(month)}-${two(offset + 28 - 31 * Math.floor(month / 4))}`;
}

const back = (day: string, weekday: number) => addDays(day, -((weekdayOf(day) - weekday + 7) % 7));

function dayOf(rule: string, year: number): string {
  if (rule.startsWith("easter")) return addDays(easterOf(year), Number(rule.slice(6)));
  const [, month = "", name = "", count = ""] = /^(\d+)-([a-z]{3})#(-?\d)$/.exec(rule) ?? [];
  const weekday = WEEKDAYS.indexOf(name);
  // The last of a month is the one on or before its end, the n-th the one on or before its day 7 n.
  if (count === "-1") return back(addDays(`${year}-${two(Number(month) + 1)}-01`, -1), weekday);
  if (count) return back(`${year}-${two(Number(month))}-${two(7 * Number(count))}`, weekday);
  const [date = "", until] = rule.split("<");
  return until ? back(`${year}-${date}`, WEEKDAYS.indexOf(until)) : `${year}-${date}`;
}

function moved(day: string, weekend: Weekend, taken: ReadonlySet<string>): string {
  if (weekend === "stays") return day;
  if (weekend === "nearest") return addDays(day, weekdayOf(day) === 6 ? -1 : weekdayOf(day) === 0 ? 1 : 0);
  let shown = day;
  while ([0, 6].includes(weekdayOf(shown)) || taken.has(shown)) shown = addDays(shown, 1);
  return shown;
}

/** Lists the days on which offices are closed, in their order. Empty for a country that is not listed. */
export function publicHolidays(country: string, year: number): { day: string; name: string }[] {
  const { weekend = "stays", rules = [] } = (Object.hasOwn(COUNTRIES, country) ? COUNTRIES[country] : undefined) ?? {};
  const taken = new Set<string>();
  for (const [rule] of rules) {
    const day = dayOf(rule, year);
    if (![0, 6].includes(weekdayOf(day))) taken.add(day);
  }
  const found = rules.map(([rule, name]) => {
    const own = dayOf(rule, year);
    const day = taken.has(own) ? own : moved(own, weekend, taken);
    taken.add(day);
    return { day, name };
  });
  return found.toSorted((one, other) => (one.day < other.day ? -1 : 1));
}
