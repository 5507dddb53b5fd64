import { ADMIN_HOME_PATH } from "./addresses";
import type { CappedCount } from "./numbers";
import type { Due } from "./time-labels";

export type WaitingItem = {
  id: string;
  number: string;
  to: string;
  name: string;
  organization: string | null;
  snippet: string | null;
  due: Due;
  mark: string | null;
  sla: string;
  owner: string | null;
  take: "take" | "take_ticket";
};

/** Limits how far is counted what waits for people: each row of a count is read on every page that shows it. */
export const WAITING_COUNTED = 25;

const QUEUE_OWNERS = ["all", "me", "none"] as const;
export type QueueOwner = (typeof QUEUE_OWNERS)[number];

export type WaitingQueue = {
  items: WaitingItem[];
  counts: Record<QueueOwner, CappedCount>;
  late: CappedCount;
  next: Due;
};

export const queueOwner = (text: string | null): QueueOwner => QUEUE_OWNERS.find((owner) => owner === text) ?? "all";

export const queuePath = (owner: QueueOwner): string =>
  owner === "all" ? ADMIN_HOME_PATH : `${ADMIN_HOME_PATH}?own=${owner}`;
