import type { ReactNode } from "react";
import { ListTabs } from "~/ui/list-tabs";
import { StatCards } from "~/ui/stat-cards";
import { STATUS_LABELS } from "../../copy";
import { TICKET_STATUSES } from "../../model";
import { STATUS_TONES } from "../../ui/badges";
import type { TicketCounts } from "../count-tickets.server";
import { type TicketFilter, ticketList } from "../definition";

const UNFILTERED = ticketList.readFilter(new URLSearchParams());

const linkTo = (filter: TicketFilter) => ({ to: ticketList.pathTo(filter), query: ticketList.query(filter) });

/** Lists the figures, each with the filter of its rows. */
const FIGURES = [
  { label: "Total", counted: "all" as const, ...linkTo(UNFILTERED) },
  ...TICKET_STATUSES.map((status) => ({
    label: STATUS_LABELS[status],
    counted: status,
    tone: STATUS_TONES[status],
    ...linkTo({ ...UNFILTERED, status }),
  })),
];

type CountersProps = { filter: TicketFilter; counts: TicketCounts | null };

/** Shows how many tickets there are, by status; each figure links to its rows. */
export function TicketCounters({ filter, counts }: CountersProps) {
  const current = ticketList.query(filter);
  return (
    <StatCards
      label="Tickets by status"
      items={FIGURES.map(({ counted, query, ...card }) => ({
        ...card,
        value: counts?.[counted] ?? null,
        current: query === current,
      }))}
    />
  );
}

/** Lists the views that every member of staff needs. What has to be answered first comes first. */
const VIEWS = [
  { label: "All", ...linkTo(UNFILTERED) },
  { label: "Unassigned", ...linkTo({ ...UNFILTERED, status: "active", assignee: "none", sort: "due" }) },
  { label: "Mine", ...linkTo({ ...UNFILTERED, status: "active", assignee: "me", sort: "due" }) },
  { label: "Due today", ...linkTo({ ...UNFILTERED, due: "today", sort: "due" }) },
  { label: "Waiting on client", ...linkTo({ ...UNFILTERED, status: "waiting_for_customer" }) },
];

/** Shows the views of the list as tabs. */
export function TicketViews({ filter, children }: { filter: TicketFilter; children: ReactNode }) {
  const current = ticketList.query(filter);
  return (
    <ListTabs
      label="Views of tickets"
      items={VIEWS.map(({ query, ...view }) => ({ ...view, current: query === current }))}
    >
      {children}
    </ListTabs>
  );
}
