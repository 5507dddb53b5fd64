import { dayIn, days } from "~/lib/time";

/** Lists what robots and old links ask for: days ago, path, how often. */
const ASKED = [
  [0, "/wp-login.php", 14],
  [0, "/services/it-support", 3],
  [0, "/team", 2],
  [1, "/wp-login.php", 31],
  [1, "/xmlrpc.php", 9],
  [1, "/services/it-support", 4],
  [1, "/pricing.html", 1],
  [3, "/.env", 6],
  [3, "/team", 2],
  [6, "/blog/backup-checklist", 5],
];

/** Writes the addresses without a page that were asked for in the last days, and a row for each whole day. */
export function addMissingPaths(world) {
  const whole = new Map();
  for (const [daysAgo, path, hits] of ASKED) {
    const day = dayIn("UTC", world.now - days(daysAgo));
    const { number, sum } = whole.get(day) ?? { number: 0, sum: 0 };
    whole.set(day, { number: number + 1, sum: sum + hits });
    world.insert("missing_paths", { day, path, number: number + 1, hits });
  }
  for (const [day, { number, sum }] of whole) world.insert("missing_paths", { day, path: "", number, hits: sum });
}
