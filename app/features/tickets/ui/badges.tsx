import { cx } from "~/ui/cx";
import { StatusPill, type Tone } from "~/ui/status-pill";
import { CLIENT_STATUS_LABELS, PRIORITY_LABELS, PRIORITY_MARKS, TICKET_STATUS_LABELS } from "../labels";
import type { TicketPriority, TicketStatus } from "../model";

export const STATUS_TONES: Record<TicketStatus, Tone> = {
  open: "open",
  in_progress: "progress",
  waiting_for_customer: "waiting",
  resolved: "resolved",
  closed: "closed",
};

export function TicketStatusPill({ status, isForClient }: { status: TicketStatus; isForClient?: boolean }) {
  return (
    <StatusPill
      tone={STATUS_TONES[status]}
      label={(isForClient ? CLIENT_STATUS_LABELS : TICKET_STATUS_LABELS)[status]}
    />
  );
}

/** Makes what cannot wait stand out by weight; only what is urgent has a colour too. */
const STYLES: { [priority in TicketPriority]?: string } = {
  high: "font-semibold",
  urgent: "font-semibold text-danger",
};

export function PriorityBadge({ priority }: { priority: TicketPriority }) {
  return (
    <span className={cx("whitespace-nowrap", STYLES[priority])}>
      <span aria-hidden="true">{PRIORITY_MARKS[priority]}</span> {PRIORITY_LABELS[priority]}
    </span>
  );
}
