import type { Instant } from "~/lib/time";

/** Names the result of a check; `off` means there is nothing to check, because it is not switched on. */
export type CheckState = "ok" | "attention" | "off";

/** Describes one line of the health page. */
export type HealthLine = { name: string; state: CheckState; detail: string; at: Instant };

/** Tells how often an address without a page was asked for on a day. `path` empty: all others of that day. */
export type MissingPath = { day: string; path: string; hits: number };

/** Tells how often a public page was opened. */
export type PageViews = { path: string; views: number };
