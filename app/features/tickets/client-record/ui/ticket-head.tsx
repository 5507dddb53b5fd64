import { Breadcrumb } from "~/ui/breadcrumb";
import { Icon } from "~/ui/icon";
import { Clock } from "~/ui/icons";
import { Link } from "~/ui/link";
import { CLIENT_TICKETS_PATH, clientTicketPath } from "../../subject";
import { PriorityBadge, TicketStatusPill } from "../../ui/badges";
import type { ClientTicketPage } from "../model";

/** Shows where the reader is: below the list of tickets. */
export const TicketCrumb = ({ number }: Pick<ClientTicketPage, "number">) => (
  <div className="[&_[aria-current]]:font-mono [&_[aria-current]]:text-[0.9em]">
    <Breadcrumb items={[{ label: "Tickets", to: CLIENT_TICKETS_PATH }, { label: number }]} />
  </div>
);

type TicketHeadProps = Pick<
  ClientTicketPage,
  "status" | "holder" | "priority" | "category" | "isPrivate" | "followUpOf" | "followUps"
>;

/** Says how the ticket stands, in words. */
export function TicketHead(props: TicketHeadProps) {
  const { status, holder, priority, category, isPrivate, followUpOf, followUps } = props;
  return (
    <div className="grid gap-2">
      <p className="flex max-w-none flex-wrap items-center gap-x-4 gap-y-1 text-ink-2 text-sm">
        <TicketStatusPill status={status} isForClient />
        <PriorityBadge priority={priority} />
        {category ? <span>{category}</span> : null}
        {holder ? <span>{holder}</span> : null}
        {isPrivate ? <span>Private</span> : null}
      </p>
      {followUpOf ? (
        <p className="text-sm">
          Goes on from <Link to={clientTicketPath(followUpOf)}>{followUpOf}</Link>.
        </p>
      ) : null}
      {followUps.map(({ number, title }) => (
        <p key={number} className="wrap-anywhere text-sm">
          Goes on in <Link to={clientTicketPath(number)}>{number}</Link>: {title}
        </p>
      ))}
    </div>
  );
}

type PromiseProps = ClientTicketPage["promises"][number];

/** Says what is promised, and how the time comes about. */
export function TicketPromise({ text, reasons }: PromiseProps) {
  return (
    <section
      className="grid gap-2 rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet px-4 py-3"
      aria-label={text}
    >
      <p className="flex max-w-none items-start gap-2 font-semibold">
        <Icon of={Clock} className="mt-[0.2em]" />
        {text}
      </p>
      <details>
        <summary className="cursor-pointer py-1 text-link text-sm underline max-md:py-3 print:hidden">
          Why this time?
        </summary>
        <dl className="mt-2 grid gap-2 text-sm">
          {reasons.map(({ term, text: detail }) => (
            <div key={`${term} ${detail}`} className="grid gap-x-4 md:grid-cols-[11rem_minmax(0,1fr)]">
              <dt className="font-semibold">{term}</dt>
              <dd className="text-ink-2">{detail}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}
