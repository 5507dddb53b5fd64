import { ButtonRow, LinkButton } from "~/ui/button";
import { Form, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import { ListTabs } from "~/ui/list-tabs";
import { Box } from "~/ui/panel";
import { DataTable } from "~/ui/table";
import { VisuallyHidden } from "~/ui/text";
import { Time } from "~/ui/time";
import { INBOUND_STATE_LABELS, LISTED_STATES, type ListedState, NO_SUBJECT, REASON_LABELS } from "./labels";
import type { UndeliveredMail } from "./mail-list.server";
import type { ListedMail } from "./model";
import { mailListPath, mailPath, TRY_MAIL_PATH } from "./paths";

type RowTokens = Record<"to_ticket" | "block" | "discard" | "retry" | "retry_mail", string>;

type MailHealth = {
  lastIn: number | null;
  waiting: string;
  sentToday: string;
  isPaused: boolean;
  retryAt: number | null;
  isProven: boolean;
  provenAt: number | null;
};

/** Says how mail comes and goes. `setUpTo`: null: the reader may not set it up. */
function HealthStrip({ health, zone, setUpTo }: { health: MailHealth; zone: string; setUpTo: string | null }) {
  const { lastIn, waiting, sentToday, isPaused, retryAt, isProven, provenAt } = health;
  const at = (instant: number | null, otherwise: string) =>
    instant === null ? otherwise : <Time at={instant} zone={zone} mode="short" />;
  const facts = [
    { term: "Last mail in", detail: at(lastIn, "none yet") },
    { term: "Waiting to leave", detail: waiting },
    { term: "Sent today", detail: sentToday },
    {
      term: "Provider",
      detail: isPaused ? (
        <span className="text-warning">quota used up, tries again {at(retryAt, "soon")}</span>
      ) : (
        <span className="text-success">takes mail</span>
      ),
    },
  ];
  const proof = isProven ? (
    <>Proven both ways{provenAt === null ? null : <> {at(provenAt, "")}</>}</>
  ) : (
    <>Not proven yet</>
  );
  return (
    <Box className="flex flex-wrap items-baseline gap-x-6 gap-y-1 text-sm">
      <dl className="flex flex-wrap gap-x-6 gap-y-1">
        {facts.map(({ term, detail }) => (
          <div key={term} className="flex gap-2">
            <dt className="text-ink-2">{term}</dt>
            <dd className="font-semibold">{detail}</dd>
          </div>
        ))}
      </dl>
      <p className="md:ml-auto">{setUpTo ? <Link to={setUpTo}>{proof}</Link> : proof}</p>
    </Box>
  );
}

type MailListProps = {
  mails: readonly ListedMail[];
  undelivered: readonly UndeliveredMail[];
  counts: Partial<Record<ListedState, string>>;
  health: MailHealth;
  setUpTo: string | null;
  state: ListedState;
  zone: string;
  earlier: string | null;
  tokens: RowTokens;
};

export function MailList({ mails, undelivered, counts, health, setUpTo, state, zone, earlier, tokens }: MailListProps) {
  return (
    <>
      <ListTabs
        label="States"
        items={Object.entries(LISTED_STATES).map(([each, label]) => ({
          ...{ to: mailListPath(each as ListedState), label, current: each === state, isFirst: each === "dropped" },
          count: counts[each as ListedState],
        }))}
      />
      <HealthStrip health={health} zone={zone} setUpTo={setUpTo} />
      {state === "held" ? <p className="text-ink-2">A clock starts at receipt once you release a mail.</p> : null}
      {state === "bounced" ? <Undelivered mails={undelivered} zone={zone} token={tokens.retry_mail} /> : null}
      <DataTable
        id="mails"
        caption={state === "bounced" ? "Reports that came by mail" : `${LISTED_STATES[state]} mail`}
        rows={mails}
        rowKey={({ id }) => id}
        empty={
          <p>
            {state === "bounced"
              ? "No report has come by mail."
              : state === "all"
                ? "No mail has arrived yet."
                : `No mail is ${LISTED_STATES[state].toLowerCase()}.`}
          </p>
        }
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
          { label: "Decide", wide: true, cell: (mail) => <RowDecisions mail={mail} tokens={tokens} /> },
        ]}
      />
      {earlier ? (
        <p>
          <Link to={earlier}>Show earlier</Link>
        </p>
      ) : null}
      <p className="text-ink-2">
        Mail is deleted 90 days after it arrived, also where it is held or failed. Something else puzzling?{" "}
        <Link to={TRY_MAIL_PATH}>Try a mail without effect</Link>.
      </p>
    </>
  );
}

/** Lists mails of ours that have not arrived, or perhaps not: whether one may arrive twice, a person decides. */
function Undelivered({ mails, zone, token }: { mails: readonly UndeliveredMail[]; zone: string; token: string }) {
  return (
    <DataTable
      id="undelivered"
      caption="Our mail that did not arrive"
      rows={mails}
      rowKey={({ id }) => id}
      empty={<p>All our mail about tickets has arrived, as far as we know.</p>}
      columns={[
        {
          label: "To",
          header: true,
          wide: true,
          cell: ({ to }) => <span className="wrap-anywhere">{to ?? "An address that is gone"}</span>,
        },
        {
          label: "About",
          wide: true,
          cell: ({ ticket: { reference, path }, title }) => (
            <Link className="wrap-anywhere" to={path}>
              {reference} {title}
            </Link>
          ),
        },
        { label: "Why", wide: true, cell: ({ why }) => why },
        { label: "Written", labelled: true, noWrap: true, cell: ({ at }) => <Time at={at} zone={zone} mode="short" /> },
        {
          label: "Decide",
          wide: true,
          cell: ({ id, ticket, messageId }) =>
            messageId === null ? (
              "—"
            ) : (
              <Form action={ticket.path} token={token} name={`retry_mail-${id}`} reloadDocument>
                <input type="hidden" name="message" value={messageId} />
                <SubmitButton variant="quiet" size="xs" name="intent" value="retry_mail" pendingLabel="Sending...">
                  Retry
                  <VisuallyHidden>: the mail about {ticket.reference}</VisuallyHidden>
                </SubmitButton>
              </Form>
            ),
        },
      ]}
    />
  );
}

type RowButtonProps = {
  mail: Pick<ListedMail, "id" | "subject">;
  intent: Exclude<keyof RowTokens, "retry_mail">;
  token: string;
  label: string;
  /** What a screen reader hears besides; absent: the subject. */
  about?: string;
  fields?: Record<string, string>;
};

function RowButton({ mail: { id, subject }, intent, token, label, about, fields = {} }: RowButtonProps) {
  return (
    <Form action={mailPath(id)} token={token} name={`${intent}-${id}`}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <SubmitButton variant="quiet" size="xs" name="intent" value={intent} pendingLabel="Saving...">
        {label}
        <VisuallyHidden>: {about ?? (subject || NO_SUBJECT)}</VisuallyHidden>
      </SubmitButton>
    </Form>
  );
}

/** Without them it is not known whose organization it is. */
const OF_STRANGERS: ReadonlySet<string | null> = new Set(["unknown_sender", "unknown_original_sender"]);

/** Decides at once what needs no further word or look; all else leads to where it is decided. */
function RowDecisions({ mail, tokens }: { mail: ListedMail; tokens: RowTokens }) {
  const { id, subject, ticket, isUndecided, mayBlock, state, reason, isOfStaff, isSendable } = mail;
  if (!isUndecided) return <>—</>;
  const leadTo = (part: string, label: string) => (
    <LinkButton variant="quiet" size="xs" to={`${mailPath(id)}#${part}`}>
      {label}
      <VisuallyHidden>: {subject || NO_SUBJECT}</VisuallyHidden>
    </LinkButton>
  );
  if (isOfStaff && ticket && state === "held") {
    return (
      <ButtonRow dense>
        {isSendable ? leadTo("send-anyway", "Send it anyway…") : null}
        <RowButton
          {...{ mail, intent: "to_ticket", token: tokens.to_ticket, label: "Make it a note" }}
          fields={{ ticket: ticket.reference }}
        />
        <RowButton {...{ mail, intent: "discard", token: tokens.discard, label: "Discard" }} />
      </ButtonRow>
    );
  }
  return (
    <ButtonRow dense>
      {ticket ? (
        <RowButton
          {...{ mail, intent: "to_ticket", token: tokens.to_ticket, about: ticket.reference }}
          label={isOfStaff ? "Make it a note" : "To a ticket"}
          fields={{ ticket: ticket.reference }}
        />
      ) : null}
      {OF_STRANGERS.has(reason) ? (
        <>
          {leadTo("new-ticket", "This organization…")}
          {leadTo("new-organization", "New organization…")}
        </>
      ) : (
        leadTo("decide", "Decide…")
      )}
      {state === "failed" ? <RowButton {...{ mail, intent: "retry", token: tokens.retry, label: "Retry" }} /> : null}
      {isOfStaff && state !== "dropped" ? (
        <RowButton {...{ mail, intent: "discard", token: tokens.discard, label: "Discard" }} />
      ) : null}
      {mayBlock && state !== "dropped" ? (
        <RowButton {...{ mail, intent: "block", token: tokens.block, label: "Block sender" }} />
      ) : null}
    </ButtonRow>
  );
}

const Sender = ({ name, address }: { name: string; address: string }) => (
  <span className="wrap-anywhere">
    {name && name !== address ? <b className="block">{name}</b> : null}
    {address || "Unknown"}
  </span>
);
