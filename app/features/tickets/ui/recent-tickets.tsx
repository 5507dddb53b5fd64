import { Link } from "~/ui/link";
import { Mono } from "~/ui/text";
import { staffTicketPath } from "../paths";
import type { RecentTicket } from "../queries.server";
import { TicketStatusPill } from "./badges";

type RecentTicketsProps = {
  tickets: readonly RecentTicket[];
  allTo: string;
};

export function RecentTickets({ tickets, allTo }: RecentTicketsProps) {
  return (
    <section className="grid gap-[0.6rem]" aria-labelledby="tickets-title">
      <h2 className="text-md" id="tickets-title">
        Recent tickets
      </h2>
      {tickets.length === 0 ? <p className="text-ink-2">No tickets yet.</p> : null}
      <ul className="grid gap-2">
        {tickets.map(({ id, reference, title, status }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Mono className="text-ink-2 text-sm">{reference}</Mono>
            <Link className="wrap-anywhere" to={staffTicketPath(reference)}>
              {title}
            </Link>
            <TicketStatusPill status={status} />
          </li>
        ))}
      </ul>
      {tickets.length > 0 ? (
        <p>
          <Link to={allTo}>All tickets of this organization</Link>
        </p>
      ) : null}
    </section>
  );
}
