import type { ReactNode } from "react";
import { Link } from "~/ui/link";
import { ListTabs } from "~/ui/list-tabs";
import { STATUS_LABELS } from "../../copy";
import { TICKET_STATUSES } from "../../model";
import type { TicketCounts } from "../count-tickets.server";
import { type TicketFilter, ticketList } from "../definition";

const UNFILTERED = ticketList.readFilter(new URLSearchParams());

const linkTo = (filter: TicketFilter) => ({ to: ticketList.pathTo(filter), query: ticketList.query(filter) });

/** Lists the figures, each with the filter of its rows. */
const FIGURES = [
  ...TICKET_STATUSES.map((status) => ({
    label: STATUS_LABELS[status],
    counted: status,
    ...linkTo({ ...UNFILTERED, status }),
  })),
  { label: "Total", counted: "all" as const, ...linkTo(UNFILTERED) },
];

type CountersProps = { filter: TicketFilter; counts: TicketCounts };

/** Shows how many tickets there are, by status, in one line; each figure links to its rows. */
export function TicketCounters({ filter, counts }: CountersProps) {
  const current = ticketList.query(filter);
  return (
    <nav className="md:ml-auto" aria-label="Tickets by status">
      <ul className="flex flex-wrap gap-x-4">
        {FIGURES.map(({ counted, label, to, query }) => (
          <li key={label}>
            <Link
              className="inline-block py-1 current:font-semibold current:text-ink text-ink-2 tabular-nums"
              to={to}
              aria-current={query === current ? "page" : undefined}
            >
              {`${counts[counted].toLocaleString("en-US")} ${label}`}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
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
