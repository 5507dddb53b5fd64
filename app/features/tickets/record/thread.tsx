import { FileList } from "~/features/attachments/files";
import { attachmentPath } from "~/features/attachments/model";
import type { Due } from "~/lib/due";
import { Breadcrumb } from "~/ui/breadcrumb";
import { DeliveryState } from "~/ui/delivery-state";
import { DueText } from "~/ui/due";
import { FactList } from "~/ui/fact-list";
import { Form } from "~/ui/form";
import { Icon } from "~/ui/icon";
import { CheckCheck, Lock, TriangleAlert } from "~/ui/icons";
import { Link } from "~/ui/link";
import { Message } from "~/ui/message";
import { QuietLine } from "~/ui/quiet-line";
import { TextButton } from "~/ui/text-button";
import { Time } from "~/ui/time";
import { UserText } from "~/ui/user-text";
import { VisuallyHidden } from "~/ui/visually-hidden";
import type { MessageDelivery } from "../mails/delivery.server";
import { LAST_SOLUTION } from "../model";
import type { StoredTicket } from "../queries.server";
import { STAFF_TICKETS_PATH } from "../subject";
import type { Solution, ThreadEntry } from "../thread.server";
import { PriorityBadge, TicketStatusPill } from "../ui/badges";

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

type ThreadProps = {
  entries: readonly ThreadEntry[];
  organization: string;
  zone: string;
  /** Names what the reader has just sent, and says whom a note has told; null: nothing. */
  sent: { id: string; mentions: Record<"told" | "notTold", string | null> | null } | null;
  /** Says where the mails about replies are, by message, and the form that sends them again. */
  mails: {
    deliveries: Readonly<Record<string, MessageDelivery>>;
    path: string;
    token: string | null;
  };
  /** Holds the addresses of the page with earlier messages, and with the latest; null: these are the ones. */
  earlierPath: string | null;
  latestPath: string | null;
  /** Holds the id of the last of many messages; null: there are few, or later ones. */
  latest: string | null;
};

/** Shows the conversation, the oldest first, with internal notes in their place and what has happened between. */
export function Thread({ entries, earlierPath, latest, latestPath, ...shared }: ThreadProps) {
  const solution = entries.findLast(({ kind }) => kind === "solution");
  return (
    <section aria-labelledby="conversation-title">
      <h2 className="sr-only" id="conversation-title">
        Conversation
      </h2>
      <p className="mb-3 flex flex-wrap gap-x-4 pl-4 text-sm empty:hidden print:hidden [&_a]:py-1">
        {earlierPath ? <Link to={earlierPath}>Show earlier messages</Link> : null}
        {latest ? <a href={`#${latest}`}>Jump to the latest message</a> : null}
      </p>
      <ol className="grid gap-[0.6rem]">
        {entries.map((entry) => (
          // What resolved the ticket is two entries: the line that says so, and what was done.
          <li key={`${entry.kind} ${entry.id}`}>
            <Entry entry={entry} isLastSolution={entry === solution} {...shared} />
          </li>
        ))}
      </ol>
      {latestPath ? (
        <p className="mt-3 pl-4 text-sm print:hidden">
          <Link to={latestPath}>Show the latest messages</Link>
        </p>
      ) : null}
    </section>
  );
}

type EntryProps = { entry: ThreadEntry; isLastSolution: boolean } & Pick<
  ThreadProps,
  "organization" | "zone" | "sent" | "mails"
>;

function Entry({ entry, isLastSolution, organization, zone, sent, mails: { deliveries, path, token } }: EntryProps) {
  const when = <Time at={entry.at} zone={zone} mode="short" />;
  if (entry.kind === "event") return <QuietLine when={when}>{entry.words}</QuietLine>;
  const { id, text } = entry;
  const isFresh = id === sent?.id;
  if (entry.kind === "solution") {
    return (
      <Message
        id={isLastSolution ? LAST_SOLUTION : id}
        from="solution"
        isFresh={isFresh}
        author={entry.by.side === "system" ? "The system" : entry.by.actor}
        label={<SolutionLabel />}
        when={when}
        end={entry.reopened ? <Reopened {...entry.reopened} zone={zone} /> : null}
      >
        <UserText hasLinks>{text}</UserText>
      </Message>
    );
  }
  const { author, side, isInternal, files } = entry;
  const mentions = isFresh ? sent?.mentions : null;
  const from = isInternal ? "inside" : side === "staff" ? "us" : "them";
  return (
    <Message
      id={id}
      from={from}
      isFresh={isFresh}
      author={author}
      label={<Label from={from} organization={organization} />}
      when={when}
      end={<MailState message={id} delivery={deliveries[id]} path={path} token={token} />}
    >
      {text ? <UserText hasLinks>{text}</UserText> : null}
      <FileList files={files} pathOf={attachmentPath} />
      {mentions?.told ? <p className="mt-1 font-semibold text-canary-ink text-sm">{mentions.told}</p> : null}
      {mentions?.notTold ? (
        <p className="mt-1 flex items-start gap-[0.4rem] font-semibold text-sm text-warning">
          <Icon of={TriangleAlert} className="mt-[0.2em]" /> {mentions.notTold}
        </p>
      ) : null}
    </Message>
  );
}

type MailStateProps = {
  message: string;
  delivery: MessageDelivery | undefined;
  path: string;
  token: string | null;
};

/** Shows where the mails about a reply are, and sends those again that were not delivered. */
function MailState({ message, delivery, path, token }: MailStateProps) {
  if (!delivery) return null;
  return (
    <>
      <DeliveryState {...delivery} />
      {token && delivery.state === "failed" ? (
        <Form action={path} token={token} name="retry_mail" reloadDocument className="print:hidden">
          <input type="hidden" name="message" value={message} />
          <TextButton type="submit" name="intent" value="retry_mail">
            Retry
            <VisuallyHidden> the mail about this reply</VisuallyHidden>
          </TextButton>
        </Form>
      ) : null}
    </>
  );
}

const SolutionLabel = () => (
  <span className="inline-flex items-center gap-[0.35rem] font-semibold text-success">
    <Icon of={CheckCheck} /> What was done
  </span>
);

const Reopened = ({ by, at, zone }: NonNullable<Solution["reopened"]> & { zone: string }) => (
  <span className="text-ink-2 text-xs">
    {by.actor || "The system"} reopened it <Time at={at} zone={zone} mode="short" />
  </span>
);

function Label({ from, organization }: { from: "them" | "us" | "inside"; organization: string }) {
  if (from === "them") return <span className="text-ink-2">{organization}</span>;
  if (from === "us") return <span className="font-semibold text-brand">Reply</span>;
  return (
    <span className="inline-flex items-center gap-[0.35rem] font-semibold text-canary-ink">
      <Icon of={Lock} /> Internal note – the client never sees this
    </span>
  );
}
