import { sortableId } from "~/lib/ids";
import { seededRandom } from "../seeded-random.mjs";

/**
 * What the parts of the demo world share: clock, dice, ids and a way to write rows. Both records of what happened are
 * numbered in order of writing, therefore entries are collected and written by time at the end.
 */
export function openWorld(database, secrets, now) {
  const random = seededRandom(1);
  const history = { audit_events: [], live_events: [], mfa_audit_log: [] };
  const insert = (table, row) => {
    const columns = Object.keys(row);
    const names = columns.map((column) => `"${column}"`).join(", ");
    const places = columns.map(() => "?").join(", ");
    database.prepare(`insert into ${table}(${names}) values (${places})`).run(...Object.values(row));
  };
  return {
    database,
    secrets,
    now,
    random,
    insert,
    newId: (prefix, at) => sortableId(prefix, at, random.bytes(16)),
    /** Adds to one of the three records; `at` orders it. Entries of the future are left out: they have not happened. */
    happened: (table, at, row) => {
      if (at <= now) history[table].push({ at, row });
    },
    writeHistory: () => {
      for (const [table, entries] of Object.entries(history)) {
        entries.sort((left, right) => left.at - right.at);
        for (const { row } of entries) insert(table, row);
      }
    },
  };
}
