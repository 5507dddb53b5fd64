import { days } from "~/lib/time";
import { seededRandom } from "../seeded-random.mjs";

/** Holds the period over which rows are spread, in milliseconds, the first ones the oldest. */
const PAST = days(3 * 365);

/**
 * Returns the id, the moment and the random numbers of a row. The same seed and index give the same row in every run.
 */
export function rowOf(world, prefix, index) {
  const random = seededRandom(Math.imul(world.seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const share = (index % world.spread) / world.spread;
  // The newest is of the day before yesterday: today's limit of submissions is left whole in every time zone.
  const newest = world.today - days(2);
  return {
    id: `${prefix}_scale${world.seed}x${String(index).padStart(8, "0")}${tailOf(world.seed, index)}`,
    at: newest - Math.round(PAST * (1 - share)) + random.between(0, days(1) - 1),
    random,
  };
}

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

/**
 * Returns the end of an id, as different from others as the random end of a real one: a search that asks for an
 * organization or a person finds them by the letters of their id.
 */
function tailOf(seed, index) {
  const random = seededRandom(Math.imul(seed, 0x27d4eb2f) ^ Math.imul(index + 1, 0x165667b1));
  return Array.from({ length: 10 }, () => DIGITS[random.between(0, DIGITS.length - 1)]).join("");
}
