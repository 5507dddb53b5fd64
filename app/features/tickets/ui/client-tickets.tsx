import { withParams } from "~/lib/addresses";
import type { CappedCount } from "~/lib/numbers";
import { plural } from "~/lib/text";
import { LinkButton } from "~/ui/button";
import { Link } from "~/ui/link";
import { Sheet, SheetRows } from "~/ui/page";
import { Mono } from "~/ui/text";
import { STAFF_TICKETS_PATH, staffTicketPath } from "../paths";
import type { ActiveTicket } from "../staff-list/list.server";
import { PriorityBadge } from "./badges";

type ClientTicketSummaryProps = {
  organization: { id: string; activeTickets: number };
  late: CappedCount;
  waiting: number;
};

/** Says how it stands with a client, in one sentence. Each number leads to its tickets. */
export function ClientTicketSummary({ organization: { id, activeTickets }, late, waiting }: ClientTicketSummaryProps) {
  const listed = (filter: Record<string, string>) => withParams(STAFF_TICKETS_PATH, { organization: id, ...filter });
  const are = (count: number, one: string, many: string) =>
    `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
  if (activeTickets === 0) return <p className="mb-4 text-md">No ticket is active.</p>;
  return (
    <p className="mb-4 max-w-none text-md">
      <b>{are(activeTickets, "ticket is", "tickets are")} active.</b>{" "}
      {late.count === 0 ? (
        "No answer is late"
      ) : (
        <Link className="text-danger" to={listed({ due: "late" })}>
          {late.isMore ? `More than ${late.count} answers are` : are(late.count, "answer is", "answers are")} late
        </Link>
      )}
      {waiting === 0 ? null : (
        <>
          {", "}
          <Link to={listed({ status: "waiting_for_customer" })}>{are(waiting, "waits", "wait")}</Link> for the client
        </>
      )}
      .
    </p>
  );
}

type ClientTicketsProps = {
  tickets: readonly ActiveTicket[];
  active: number;
  total: number;
  allTo: string;
  newTo: string;
};

export function ClientTickets({ tickets, active, total, allTo, newTo }: ClientTicketsProps) {
  return (
    <Sheet
      id="tickets"
      title="Active tickets"
      isMain
      aside={total > 0 ? <Link to={allTo}>All {plural(total, "ticket")}</Link> : null}
    >
      {tickets.length === 0 ? (
        <div className="flex flex-wrap items-center gap-3 border-line border-t px-4 py-3">
          <p>{total === 0 ? "No tickets yet." : "Nothing is open."}</p>
          <LinkButton variant="quiet" size="sm" to={newTo}>
            New Ticket
          </LinkButton>
        </div>
      ) : (
        <SheetRows>
          {tickets.map(({ id, number, title, creator, priority, assignee, due, waitsFor }) => (
            <li key={id} className="grid @max-wide:grid-cols-1 grid-cols-[10rem_minmax(0,1fr)_10rem] gap-x-4 gap-y-1">
              <span>
                {due ? (
                  <span className={due.isLate ? "font-semibold text-danger" : undefined}>{due.words}</span>
                ) : (
                  <span className="text-ink-2">nothing promised</span>
                )}
                {due?.sla ? <span className="block text-ink-2 text-sm">{due.sla}</span> : null}
              </span>
              <span className="wrap-anywhere">
                <Link to={staffTicketPath(number)}>{title}</Link>
                <span className="flex flex-wrap items-center gap-x-3 text-ink-2 text-sm">
                  <Mono>{number}</Mono> {creator}
                  <PriorityBadge priority={priority} />
                </span>
              </span>
              <span className="wrap-anywhere text-sm">
                Waits for {waitsFor}
                <span className="block text-ink-2">{assignee ?? "Unassigned"}</span>
              </span>
            </li>
          ))}
        </SheetRows>
      )}
      {active > tickets.length ? (
        <p className="max-w-none border-line border-t px-4 py-3 text-ink-2 text-sm">
          These are due first. {active.toLocaleString("en-US")} are active.
        </p>
      ) : null}
    </Sheet>
  );
}
