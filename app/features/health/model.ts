import type { Instant } from "~/lib/time";

/** `off`: not switched on; `unknown`: it could not be looked at. */
export type CheckState = "ok" | "attention" | "unknown" | "off";

export type HealthLine = { name: string; state: CheckState; detail: string; at: Instant; wanted: string; fix: string };

export type MissingPath = { day: string; path: string; hits: number };

export type MissingPathCounts = { paths: MissingPath[]; otherRequests: number };

export type PageViews = { path: string; views: number };

export type JobRow = { name: string; lastOk: Instant | null; nextDue: Instant; error: string | null };

/** `room`: what takes it in the database. `migrations`: the newest first. */
export type Installation = {
  facts: { term: string; detail: string }[];
  room: { term: string; detail: string }[];
  migrations: string[];
  jobs: JobRow[];
};
