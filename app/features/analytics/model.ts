import type { TicketPriority, TicketStatus } from "~/features/tickets/model";
import type { Duration } from "~/lib/time";
import { PERCENT_FROM } from "./definitions";
import type { Times } from "./histogram";

export type { Times } from "./histogram";

/** Names what figures are about: days of the site's time zone, `YYYY-MM-DD`, both included; null: every organization. */
export type Period = { from: string; to: string; organizationId: string | null };

/** Holds a part of a whole, of which a percentage is shown if there are enough cases. */
export type Share = { part: number; n: number };

/** Holds how many promises were kept and missed. */
export type Promises = { kept: number; missed: number };

/** Holds how promises and first replies stand for one priority. */
export type PriorityFigures = { created: number; firstResponse: Times; promises: Promises };

/** Holds the tickets of a day or month, and how many were active at its end. */
export type FlowFigures = { from: string; to: string; created: number; resolved: number; openAtEnd: number };

/** Holds everything that is counted of tickets in a period. What each number means is in `definitions.ts`. */
export type Figures = Period & {
  created: number;
  /** Tickets created in the period, by their status now. */
  byStatus: Record<TicketStatus, number>;
  byPriority: Record<TicketPriority, PriorityFigures>;
  firstResponse: { open: Times; wall: Times };
  /** All promises, and of these the first replies. */
  promises: Promises;
  firstPromises: Promises;
  resolved: number;
  resolution: Times;
  /** Mean part of the resolution in which we waited for the client; null: nothing was resolved. */
  pausedMean: Duration | null;
  reopened: Share;
  satisfaction: Share;
  /** Active tickets at the end of the last day, by age: see `BACKLOG_AGES`. */
  backlog: readonly [number, number, number, number];
  /** Tickets whose latest changes are not counted yet. */
  uncounted: number;
};

/** Returns what is counted as resolved of what was created. It exceeds 100 % where older tickets were resolved. */
export const resolutionRate = ({ resolved, created }: Pick<Figures, "resolved" | "created">): Share => ({
  part: resolved,
  n: created,
});

export const keptShare = ({ kept, missed }: Promises): Share => ({ part: kept, n: kept + missed });

/** Returns a share in whole percent; null: there are too few cases for that. */
export const percentOf = ({ part, n }: Share): number | null =>
  n < PERCENT_FROM ? null : Math.round((100 * part) / n);
