import type { Instant } from "~/lib/time";

/**
 * Names the result of a check; `off` means there is nothing to check, because it is not switched on, and `unknown` that
 * it could not be looked at.
 */
export type CheckState = "ok" | "attention" | "unknown" | "off";

/** Describes one line of the health page: what was found and when, what is wanted, and how to get there. */
export type HealthLine = { name: string; state: CheckState; detail: string; at: Instant; wanted: string; fix: string };

/** Tells how often an address without a page was asked for on a day. */
export type MissingPath = { day: string; path: string; hits: number };

/** Lists the addresses without a page that are shown, and counts the requests to those that are not. */
export type MissingPaths = { paths: MissingPath[]; otherRequests: number };

/** Tells how often a public page was opened. */
export type PageViews = { path: string; views: number };

/** Tells when a job ran. Null: never, and no error. */
export type JobRow = { name: string; lastOk: Instant | null; nextDue: Instant; error: string | null };

/** Describes what is installed. `room`: what takes it in the database. `migrations`: by name, the newest first. */
export type Installation = {
  facts: { term: string; detail: string }[];
  room: { term: string; detail: string }[];
  migrations: string[];
  jobs: JobRow[];
};
