import type { ReactNode } from "react";
import { ListTabs } from "~/ui/list-tabs";
import { StatCards } from "~/ui/stat-cards";
import { STATUS_LABELS } from "../../copy";
import { TICKET_STATUSES } from "../../model";
import { STATUS_TONES } from "../../ui/badges";
import type { TicketCounts } from "../count-tickets.server";
import { type TicketFilter, ticketList } from "../definition";

const UNFILTERED = ticketList.readFilter(new URLSearchParams());

type CountersProps = { filter: TicketFilter; counts: TicketCounts | null };

/** Shows how many tickets there are, by status; each figure links to its rows. */
export function TicketCounters({ filter, counts }: CountersProps) {
  const current = ticketList.query(filter);
  const card = (label: string, counted: keyof TicketCounts, shown: TicketFilter) => ({
    label,
    value: counts?.[counted] ?? null,
    to: ticketList.pathTo(shown),
    current: ticketList.query(shown) === current,
  });
  return (
    <StatCards
      label="Tickets by status"
      items={[
        card("Total", "all", UNFILTERED),
        ...TICKET_STATUSES.map((status) => ({
          ...card(STATUS_LABELS[status], status, { ...UNFILTERED, status }),
          tone: STATUS_TONES[status],
        })),
      ]}
    />
  );
}

/** Lists the views that every member of staff needs. What has to be answered first comes first. */
const VIEWS: readonly { label: string; filter: TicketFilter }[] = [
  { label: "All", filter: UNFILTERED },
  { label: "Unassigned", filter: { ...UNFILTERED, status: "active", assignee: "none", sort: "due" } },
  { label: "Mine", filter: { ...UNFILTERED, status: "active", assignee: "me", sort: "due" } },
  { label: "Due today", filter: { ...UNFILTERED, due: "today", sort: "due" } },
  { label: "Waiting on client", filter: { ...UNFILTERED, status: "waiting_for_customer" } },
];

/** Shows the views of the list as tabs. */
export function TicketViews({ filter, children }: { filter: TicketFilter; children: ReactNode }) {
  const current = ticketList.query(filter);
  return (
    <ListTabs
      label="Views of tickets"
      items={VIEWS.map(({ label, filter: view }) => ({
        label,
        to: ticketList.pathTo(view),
        current: ticketList.query(view) === current,
      }))}
    >
      {children}
    </ListTabs>
  );
}
