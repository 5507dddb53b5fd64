import { Button } from "~/ui/button";
import { Link } from "~/ui/link";
import { Time } from "~/ui/text";
import { transitionLabel } from "../labels";
import { clientTicketPath } from "../paths";
import { PriorityBadge, TicketStatusPill } from "../ui/badges";
import type { ClientTicket } from "./definition";

type TicketCardsProps = {
  tickets: readonly ClientTicket[];
  labelledBy: string;
  zone: string;
  form?: string;
};

export function TicketCards({ tickets, labelledBy, zone, form }: TicketCardsProps) {
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-3" aria-labelledby={labelledBy}>
      {tickets.map((ticket) => (
        <li
          key={ticket.id}
          className="grid grid-cols-[minmax(0,1fr)] gap-2 rounded-3 border border-line bg-sheet px-4 py-3"
          id={ticket.id}
        >
          <TicketSummary ticket={ticket} zone={zone} />
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm max-md:[&>*]:min-h-11 max-md:[&_a]:py-2 md:[&_a]:mr-2">
            <Link to={clientTicketPath(ticket.number)} aria-label={`View Details of ${ticket.number}`}>
              View Details
            </Link>
            {form
              ? ticket.moves.map((move) => (
                  <Button
                    key={move}
                    variant="quiet"
                    size="xs"
                    type="submit"
                    form={form}
                    name="move"
                    value={`${move}.${ticket.id}`}
                    aria-label={`${transitionLabel(move, ticket.moves)}: ${ticket.number}`}
                  >
                    {transitionLabel(move, ticket.moves)}
                  </Button>
                ))
              : null}
          </p>
        </li>
      ))}
    </ul>
  );
}

export function TicketSummary({ ticket, zone }: { ticket: ClientTicket; zone: string }) {
  const { number, title, status, priority, category, isPrivate, opened, assignee, summary, lastMessageAt } = ticket;
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <Link className="wrap-anywhere font-semibold" to={clientTicketPath(number)}>
          {title}
        </Link>
        <TicketStatusPill status={status} isForClient />
      </div>
      <p className="wrap-anywhere flex max-w-none flex-wrap gap-x-4 gap-y-1 text-ink-2 text-sm">
        <span className="font-mono">{number}</span>
        {summary && status !== "waiting_for_customer" ? <b className="font-semibold text-ink">{summary}</b> : null}
        <PriorityBadge priority={priority} />
        {category ? <span>{category}</span> : null}
        {isPrivate ? <span>Private</span> : null}
        <span>{opened}</span>
        {assignee ? <span>{assignee} has it</span> : null}
        <span>
          last message <Time at={lastMessageAt} zone={zone} mode="short" />
        </span>
      </p>
    </>
  );
}
