import { type Instant, minutes } from "./time";

const SENT_SHOWN = minutes(1);

type Written = { id: string; at: Instant; isOwn?: boolean };

export const justSent = (conversation: readonly Written[], now: Instant): string | null =>
  conversation.findLast(({ isOwn, at }) => isOwn && at > now - SENT_SHOWN)?.id ?? null;
