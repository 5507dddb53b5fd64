import type { ReactNode } from "react";
import { ButtonRow, LinkButton } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Form, SubmitButton } from "~/ui/form";
import { CircleAlert, CircleCheck, Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import { ListTabs } from "~/ui/list-tabs";
import { Box, Breadcrumb, Page } from "~/ui/page";
import { DataTable } from "~/ui/table";
import { Time, VisuallyHidden } from "~/ui/text";
import {
  INBOUND_MAIL,
  INBOUND_STATE_LABELS,
  LISTED_STATES,
  type ListedState,
  NO_SUBJECT,
  NOT_BLOCKABLE,
  REASON_LABELS,
} from "./labels";
import type { MailListRead } from "./mail-list.server";
import type { ListedMail } from "./model";
import { FROM_LIST, MAIL_PATH, mailListPath, mailPath, OPEN_MAIL, openMailPath, TRY_MAIL_PATH } from "./paths";

type RowTokens = MailListRead["tokens"];

/** Says how mail comes and goes. `setUpTo`: null: the reader may not set it up. */
function HealthStrip({ health, zone, setUpTo }: Pick<MailListRead, "health" | "zone" | "setUpTo">) {
  const { lastIn, waiting, sentToday, delayed, isProven, provenAt } = health;
  const at = (instant: number | null, otherwise: string) =>
    instant === null ? otherwise : <Time at={instant} zone={zone} mode="short" />;
  const facts = [
    { term: "Last mail in", detail: at(lastIn, "none yet") },
    { term: "Waiting to leave", detail: waiting },
    { term: "Sent today", detail: sentToday },
    {
      term: "Provider",
      detail: delayed ? (
        <span className="text-warning">{delayed}</span>
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
  list: MailListRead;
  /** The mail that is read beside the list, or in its place where there is no room for both. */
  open?: { id: string; subject: string; children: ReactNode };
};

export function MailList({ list, open }: MailListProps) {
  const { mails, undelivered, counts, health, setUpTo, state, before, zone, earlier, tokens } = list;
  const crumbs = [{ label: INBOUND_MAIL, to: mailListPath(state, before) }, { label: open?.subject || NO_SUBJECT }];
  return (
    <Page
      title={INBOUND_MAIL}
      breadcrumb={
        open ? (
          <div className="@wide:hidden">
            <Breadcrumb dense items={crumbs} />
          </div>
        ) : undefined
      }
      actions={
        <ButtonRow dense>
          <LinkButton variant="quiet" to={TRY_MAIL_PATH}>
            Try a mail
          </LinkButton>
          {setUpTo ? (
            <LinkButton variant="quiet" to={setUpTo}>
              Set-up
            </LinkButton>
          ) : null}
        </ButtonRow>
      }
    >
      <div className={cx("grid grid-cols-[minmax(0,1fr)] gap-5", open && "@max-wide:hidden")}>
        <ListTabs
          label="States"
          items={Object.entries(LISTED_STATES).map(([each, label]) => ({
            ...{ to: mailListPath(each as ListedState), label, current: each === state, isFirst: each === "dropped" },
            count: counts[each as ListedState],
          }))}
        />
        <HealthStrip health={health} zone={zone} setUpTo={setUpTo} />
      </div>
      <div
        className={cx(
          "grid grid-cols-[minmax(0,1fr)] items-start gap-5",
          open && "@wide:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]",
        )}
      >
        <div className={cx("grid min-w-0 gap-5", open && "@max-wide:hidden")}>
          {state === "bounced" ? <Undelivered mails={undelivered} zone={zone} token={tokens.retry_mail} /> : null}
          <section className="rounded-3 border border-line bg-sheet" aria-labelledby="mails-title">
            <div className="flex flex-wrap items-baseline justify-between gap-x-5 border-line border-b px-4 py-3">
              <h2 id="mails-title" className="text-md">
                {TITLES[state]}
              </h2>
              {state === "held" ? (
                <p className="text-ink-2 text-sm">A clock starts at receipt once you release a mail.</p>
              ) : null}
            </div>
            {mails.length === 0 ? <p className="px-4 py-3">{EMPTY[state] ?? `No mail is ${state}.`}</p> : null}
            <ol className="*:border-line *:border-b *:px-4 *:py-3 *:last:border-b-0">
              {mails.map((mail) => (
                <Row key={mail.id} {...{ mail, zone, tokens, state, before }} isOpen={mail.id === open?.id} />
              ))}
            </ol>
          </section>
          {earlier ? (
            <p>
              <Link to={earlier}>Show earlier</Link>
            </p>
          ) : null}
          <p className="text-ink-2">
            Mail is deleted 90 days after it arrived, also where it is held or failed. Something else puzzling?{" "}
            <Link to={TRY_MAIL_PATH}>Try a mail without effect</Link>.
          </p>
        </div>
        {open ? (
          <section
            id={OPEN_MAIL}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
            tabIndex={0}
            aria-label="Open mail"
            className="@wide:sticky @wide:top-4 grid @wide:max-h-[calc(100dvh-2rem)] min-w-0 @wide:scroll-mt-72 scroll-mt-20 gap-5 @wide:overflow-y-auto"
          >
            {open.children}
          </section>
        ) : null}
      </div>
    </Page>
  );
}

const TITLES: Record<ListedState, string> = {
  held: "Held, for you to decide",
  failed: "Could not be processed",
  automatic: "Automatic mail",
  bounced: "Reports that came by mail",
  dropped: "Dropped mail",
  all: "All mail",
};
const EMPTY: Partial<Record<ListedState, string>> = {
  bounced: "No report has come by mail.",
  all: "No mail has arrived yet.",
};

type RowProps = Pick<MailListRead, "zone" | "tokens" | "state" | "before"> & { mail: ListedMail; isOpen: boolean };

function Row({ mail, zone, tokens, state, before, isOpen }: RowProps) {
  const { id, name, address, subject, reason, ticket, receivedAt } = mail;
  return (
    <li
      id={id}
      aria-current={isOpen || undefined}
      className="wrap-anywhere current:edge-l grid gap-1 current:bg-brand-tint"
    >
      <span className="flex items-baseline justify-between gap-x-4">
        <Link className="font-semibold text-ink" to={openMailPath(id, state, before)}>
          {subject || NO_SUBJECT}
        </Link>
        <span className="shrink-0 text-ink-2 text-sm">
          <Time at={receivedAt} zone={zone} mode="short" />
        </span>
      </span>
      <span className="text-ink-2 text-sm">
        {name && name !== address ? `${name}, ${address}` : address || "Unknown"}
      </span>
      <span className="flex items-start gap-2 text-sm">
        <Icon
          of={mail.isUndecided ? CircleAlert : CircleCheck}
          className={`mt-[0.2em] ${mail.isUndecided ? "text-warning" : "text-ink-3"}`}
        />
        <span>
          {reason ? REASON_LABELS[reason] : INBOUND_STATE_LABELS[mail.state]}
          {ticket ? (
            <>
              {" "}
              <Link to={ticket.path}>{ticket.reference}</Link>
            </>
          ) : null}
        </span>
      </span>
      {mail.isUndecided ? <RowDecisions {...{ mail, tokens, state, before }} /> : null}
    </li>
  );
}

/** Lists mails of ours that have not arrived, or perhaps not: whether one may arrive twice, a person decides. */
function Undelivered({ mails, zone, token }: { mails: MailListRead["undelivered"]; zone: string; token: string }) {
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
          cell: ({ id, ticket: { reference }, isUncertain, isSendable }) => {
            const button = (intent: string, label: string) => (
              <SubmitButton variant="quiet" size="xs" name="intent" value={intent} pendingLabel="Saving...">
                {label}
                <VisuallyHidden>: the mail about {reference}</VisuallyHidden>
              </SubmitButton>
            );
            return (
              <Form action={MAIL_PATH} token={token} name={`mail-${id}`}>
                <input type="hidden" name="mail" value={id} />
                <ButtonRow dense>
                  {isUncertain ? button("arrived", "It arrived") : null}
                  {isSendable ? button("send_again", "Retry") : null}
                  {isUncertain && isSendable ? null : button("leave", "Leave it")}
                </ButtonRow>
              </Form>
            );
          },
        },
      ]}
    />
  );
}

type RowButtonProps = {
  mail: Pick<ListedMail, "id" | "subject">;
  /** The list to go back to. */
  state: ListedState;
  intent: Exclude<keyof RowTokens, "retry_mail">;
  token: string;
  label: string;
  /** What a screen reader hears besides; absent: the subject. */
  about?: string;
  fields?: Record<string, string>;
};

function RowButton({ mail: { id, subject }, state, intent, token, label, about, fields = {} }: RowButtonProps) {
  return (
    <Form action={mailPath(id)} token={token} name={`${intent}-${id}`}>
      <input type="hidden" name={FROM_LIST} value={state} />
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
const OF_STRANGERS: ReadonlySet<string | null> = new Set([
  "unknown_sender",
  "no_organization",
  "unknown_original_sender",
]);

type RowDecisionsProps = Pick<RowProps, "mail" | "tokens" | "state" | "before">;

/** Decides at once what needs no further word or look; all else leads to where it is decided. */
function RowDecisions({ mail, tokens, state: listed, before }: RowDecisionsProps) {
  const { id, subject, ticket, address, class: mailClass, mayBlock, state, reason, isOfStaff, isSendable } = mail;
  const leadTo = (part: string, label: string) => (
    <LinkButton variant="quiet" size="xs" to={openMailPath(id, listed, before, `${part}-title`)}>
      {label}
      <VisuallyHidden>: {subject || NO_SUBJECT}</VisuallyHidden>
    </LinkButton>
  );
  const button = (intent: RowButtonProps["intent"], label: string, more: Partial<RowButtonProps> = {}) => (
    <RowButton {...{ mail, state: listed, intent, token: tokens[intent], label, ...more }} />
  );
  const isStaffHeld = isOfStaff && ticket !== null && state === "held";
  return (
    <ButtonRow dense>
      {isStaffHeld && isSendable ? leadTo("send-anyway", "Send it anyway…") : null}
      {ticket
        ? button("to_ticket", isOfStaff ? "Make it a note" : "To a ticket", {
            ...{ about: ticket.reference, fields: { ticket: ticket.reference } },
          })
        : null}
      {isStaffHeld ? null : OF_STRANGERS.has(reason) ? (
        <>
          {mailClass === "person" ? leadTo("to-person", "A person we know…") : null}
          {leadTo("new-ticket", "This organization…")}
          {leadTo("new-organization", "New organization…")}
        </>
      ) : (
        leadTo("to-ticket", "Decide…")
      )}
      {state === "failed" ? button("retry", "Retry") : null}
      {isOfStaff && state !== "dropped" ? button("discard", "Discard") : null}
      {mayBlock && state !== "dropped" ? button("block", "Block sender", { about: address }) : null}
      {mayBlock || isOfStaff || !address ? null : <span className="text-ink-2 text-sm">{NOT_BLOCKABLE}</span>}
    </ButtonRow>
  );
}
