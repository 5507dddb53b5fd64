import type { Instant } from "~/lib/time";
import { ButtonRow } from "~/ui/button";
import { FactList } from "~/ui/fact-list";
import { Form, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/panel";
import { Tag } from "~/ui/status-pill";
import { DataTable } from "~/ui/table";
import { Time } from "~/ui/time";
import { UserText } from "~/ui/user-text";
import { INBOUND_STATE_LABELS, LISTED_STATES, type ListedState, REASON_LABELS, TIER_LABELS } from "./labels";
import type { EndReason, InboundState, Tier } from "./model";
import { mailListPath, mailPath } from "./paths";

type ListedMail = {
  id: string;
  state: InboundState;
  name: string;
  address: string;
  subject: string;
  reason: EndReason | null;
  receivedAt: Instant;
  ticket: { reference: string; path: string } | null;
};

type MailListProps = { mails: readonly ListedMail[]; state: ListedState; zone: string; earlier: string | null };

const NO_SUBJECT = "(no subject)";

export function MailList({ mails, state, zone, earlier }: MailListProps) {
  return (
    <>
      <nav aria-label="States" className="flex flex-wrap gap-x-4 gap-y-1 [&_[aria-current]]:font-semibold">
        {Object.entries(LISTED_STATES).map(([each, label]) => (
          <Link key={each} to={mailListPath(each as ListedState)} aria-current={each === state ? "page" : undefined}>
            {label}
          </Link>
        ))}
      </nav>
      <DataTable
        id="mails"
        caption={`${LISTED_STATES[state]} mail`}
        rows={mails}
        rowKey={({ id }) => id}
        empty={<p>{state === "all" ? "No mail has arrived yet." : `No ${LISTED_STATES[state].toLowerCase()} mail.`}</p>}
        columns={[
          {
            label: "Subject",
            header: true,
            wide: true,
            cell: ({ id, subject }) => (
              <Link className="wrap-anywhere" to={mailPath(id)}>
                {subject || NO_SUBJECT}
              </Link>
            ),
          },
          { label: "From", wide: true, cell: ({ name, address }) => <Sender name={name} address={address} /> },
          {
            label: "Why",
            wide: true,
            cell: (mail) => (mail.reason ? REASON_LABELS[mail.reason] : INBOUND_STATE_LABELS[mail.state]),
          },
          {
            label: "Ticket",
            labelled: true,
            noWrap: true,
            cell: ({ ticket }) => (ticket ? <Link to={ticket.path}>{ticket.reference}</Link> : "—"),
          },
          {
            label: "Received",
            labelled: true,
            noWrap: true,
            cell: ({ receivedAt }) => <Time at={receivedAt} zone={zone} mode="short" />,
          },
        ]}
      />
      {earlier ? (
        <p>
          <Link to={earlier}>Show earlier</Link>
        </p>
      ) : null}
    </>
  );
}

const Sender = ({ name, address }: { name: string; address: string }) => (
  <span className="wrap-anywhere">
    {name && name !== address ? <b className="block">{name}</b> : null}
    {address || "Unknown"}
  </span>
);

type MailRecordProps = {
  mail: Omit<ListedMail, "id"> & {
    envelopeTo: string;
    size: number;
    isBlocked: boolean;
    mayBlock: boolean;
    tier: Tier | null;
    isLarge: boolean;
    hasWinmail: boolean;
    refusedFiles: readonly string[];
  };
  content: { text: string; whole: string | null; files: readonly string[] } | null;
  zone: string;
  path: string;
  tokens: { retry: string | null; block: string | null; unblock: string | null };
};

export function MailRecord({ mail, content, zone, path, tokens }: MailRecordProps) {
  const mayRetry = mail.state === "held" || mail.state === "failed";
  const blocking = mail.isBlocked
    ? ({ intent: "unblock", token: tokens.unblock, label: "Unblock sender" } as const)
    : ({ intent: "block", token: tokens.block, label: "Block sender" } as const);
  return (
    <>
      <Panel id="mail" title="Mail">
        {content === null ? <p className="text-ink-2">The mail cannot be shown.</p> : null}
        {content?.text ? <UserText>{content.text}</UserText> : null}
        {content?.whole ? (
          <details className="mt-3">
            <summary className="cursor-pointer py-1 text-sm max-md:py-3">Show the whole mail</summary>
            <UserText size="sm">{content.whole}</UserText>
          </details>
        ) : null}
        {content && content.files.length > 0 ? (
          <p className="wrap-anywhere mt-3 text-ink-2 text-sm">Files: {content.files.join(", ")}</p>
        ) : null}
      </Panel>
      <Panel id="why" title="Why is this here?">
        <p className="mb-3 flex flex-wrap items-center gap-3">
          <Tag>{INBOUND_STATE_LABELS[mail.state]}</Tag>
          {mail.reason ? REASON_LABELS[mail.reason] : null}
        </p>
        <FactList
          facts={[
            { term: "From", detail: <Sender name={mail.name} address={mail.address} /> },
            { term: "To", detail: <span className="wrap-anywhere">{mail.envelopeTo}</span> },
            { term: "Received", detail: <Time at={mail.receivedAt} zone={zone} mode="short" /> },
            { term: "Ticket", detail: mail.ticket ? <Link to={mail.ticket.path}>{mail.ticket.reference}</Link> : null },
            { term: "Found", detail: mail.tier ? TIER_LABELS[mail.tier] : null },
            { term: "Size", detail: sizeInWords(mail.size) },
            { term: "Not taken", detail: mail.refusedFiles.length > 0 ? mail.refusedFiles.join(", ") : null },
            ...(mail.isLarge ? [{ term: "Large mail", detail: "Only its beginning was read." }] : []),
            ...(mail.hasWinmail ? [{ term: "winmail.dat", detail: "Outlook has packed its files into one." }] : []),
          ]}
        />
      </Panel>
      <ButtonRow dense>
        {mayRetry && tokens.retry ? (
          <Form action={path} token={tokens.retry} name="retry">
            <SubmitButton size="sm" name="intent" value="retry" pendingLabel="Trying...">
              Retry
            </SubmitButton>
          </Form>
        ) : null}
        {(mail.mayBlock || mail.isBlocked) && blocking.token ? (
          <Form action={path} token={blocking.token} name={blocking.intent}>
            <SubmitButton variant="quiet" size="sm" name="intent" value={blocking.intent} pendingLabel="Saving...">
              {blocking.label}
            </SubmitButton>
          </Form>
        ) : null}
      </ButtonRow>
    </>
  );
}

function sizeInWords(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
