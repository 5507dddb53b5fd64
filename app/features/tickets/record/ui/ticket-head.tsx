import type { Due } from "~/lib/due";
import { Breadcrumb } from "~/ui/breadcrumb";
import { DueText } from "~/ui/due";
import { FactList } from "~/ui/fact-list";
import { Link } from "~/ui/link";
import { Time } from "~/ui/time";
import type { StoredTicket } from "../../queries.server";
import { STAFF_TICKETS_PATH } from "../../subject";
import { PriorityBadge, TicketStatusPill } from "../../ui/badges";

type ShownTicket = Omit<StoredTicket, "description" | "promise"> & { reference: string };

type ShownPromise = {
  /** Says what is promised: "First reply". */
  label: string;
  /** Holds the time by which it is promised; null while that is paused. */
  due: Due | null;
  paused: string | null;
  /** Says why it is this time, line by line. */
  reasons: { term: string; detail: string }[];
};

type TicketHeadProps = {
  ticket: ShownTicket;
  promises: readonly ShownPromise[];
  zone: string;
  /** Holds the address of the organization's page. */
  organizationPath: string;
};

/** Shows what the ticket is about, how it stands, and what is promised until when. */
export function TicketHead({ ticket, promises, zone, organizationPath }: TicketHeadProps) {
  const { reference, title, status, priority, organization, creator, openedBy, isPrivate, createdAt } = ticket;
  return (
    <header className="[&_[aria-current]]:font-mono [&_[aria-current]]:text-[0.9em]">
      <Breadcrumb dense items={[{ label: "Tickets", to: STAFF_TICKETS_PATH }, { label: reference }]} />
      <h1 className="wrap-anywhere">{title}</h1>
      <p className="mt-1 flex max-w-none flex-wrap items-center gap-x-4 gap-y-1 text-ink-2">
        <TicketStatusPill status={status} />
        <PriorityBadge priority={priority} />
        <Link to={organizationPath}>{organization.name}</Link>
        <span>
          opened <Time at={createdAt} zone={zone} mode="short" /> by {openedBy ? `${openedBy.name} for ` : ""}
          {creator.name}
        </span>
        {isPrivate ? <span>Private: not seen by all colleagues</span> : null}
      </p>
      {promises.map((promise) => (
        <Promised key={promise.label} promise={promise} zone={zone} />
      ))}
    </header>
  );
}

function Promised({ promise: { label, due, paused, reasons }, zone }: { promise: ShownPromise; zone: string }) {
  return (
    <div className="mt-2 flex flex-wrap items-baseline gap-x-4 gap-y-1">
      <p className="max-w-none">
        <b>{label}:</b> {due ? <DueText due={due} strong /> : paused}
        {due ? (
          <span className="text-ink-2">
            {" "}
            (promised by <Time at={due.dueAt} zone={zone} mode="short" />)
          </span>
        ) : null}
      </p>
      <details className="text-sm open:w-full print:hidden">
        <summary className="cursor-pointer py-1 text-brand underline max-md:py-3">Why this time?</summary>
        <div className="mt-2 max-w-3xl">
          <FactList facts={reasons} terms="long" />
        </div>
      </details>
    </div>
  );
}
