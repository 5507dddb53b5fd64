import { Fragment, type ReactNode } from "react";
import { FileLink } from "~/features/attachments/file-link";
import { attachmentPath } from "~/features/attachments/model";
import { organizationPath } from "~/features/organizations/model";
import { STAFF_FAILED } from "~/features/users/model";
import { mailtoHref, telHref } from "~/lib/email";
import type { ValidationError } from "~/lib/form";
import { type Due, dueInWords, shortDay } from "~/lib/time-labels";
import { AssignToMe } from "~/ui/assign-to-me";
import { LinkButton } from "~/ui/button";
import { FactList } from "~/ui/fact-list";
import { ErrorSummary, Field, Form, Input, SaveButton, Select, SubmitButton } from "~/ui/form";
import { Handset, Icon, Mail } from "~/ui/icon";
import { Link } from "~/ui/link";
import { ErrorPanel, Notice, Panel, RecordLine } from "~/ui/page";
import { DueText, InlineSelect, StatusPill } from "~/ui/status-pill";
import { Mono, Time } from "~/ui/text";
import {
  MAKE_CLIENT,
  NOT_THIS_CLIENT,
  STATUS_STYLE,
  SUBMISSION_STATUS_LABELS,
  SUBMISSION_STATUS_OPTIONS,
} from "../labels";
import { ordinal } from "../model";
import type { SubmissionRecord } from "../queries.server";
import { listedSubmissionPath } from "../subject";
import type { SubmissionPage } from "./actions.server";

const CONTACT_LINK = "inline-flex min-h-7 items-center gap-[0.4rem] max-md:min-h-tap";

export function RecordHead({ submission, repeats, list, ticketPath, clientPath, path, tokens }: SubmissionPage) {
  const { name, number, company, email, phone, status, moderationReason, client } = submission;
  const position = repeats.findIndex(({ id }) => id === submission.id) + 1;
  return (
    <>
      <RecordLine
        items={[{ label: "Submissions", to: list.path }, { label: number }]}
        previous={list.previous && listedSubmissionPath(list.previous, list.query)}
        next={list.next && listedSubmissionPath(list.next, list.query)}
      />
      <div className="clear-both flex flex-wrap items-center gap-x-[0.9rem] gap-y-[0.35rem]">
        <h1 className="wrap-anywhere">{name}</h1>
        {moderationReason ? null : <StatusPill {...STATUS_STYLE[status]} />}
        {position > 0 && repeats.length > 1 ? (
          <a
            className="rounded-1 border border-control px-2 py-[0.05rem] font-semibold text-xs"
            href="#same-person-title"
          >
            {ordinal(position)} submission
          </a>
        ) : null}
        <span className="ml-auto flex flex-wrap gap-2 print:hidden">
          {clientPath ? (
            <LinkButton variant="quiet" size="sm" to={clientPath}>
              {MAKE_CLIENT}
            </LinkButton>
          ) : null}
          {ticketPath ? (
            <LinkButton variant="quiet" size="sm" to={ticketPath}>
              Open ticket
            </LinkButton>
          ) : null}
        </span>
      </div>
      <div className="wrap-anywhere mb-[0.8rem] flex max-w-none flex-wrap items-center gap-x-5 gap-y-1 text-ink-2">
        {client ? (
          <span>
            Client: <Link to={organizationPath(client.id)}>{client.name}</Link>
          </span>
        ) : company ? (
          <span>{company}</span>
        ) : null}
        {client && tokens.unlink ? (
          <Form action={path} token={tokens.unlink} name="unlink" className="print:hidden">
            <input type="hidden" name="organization_id" value={client.id} />
            <SubmitButton variant="quiet" size="sm" intent="unlink" pendingLabel="Unlinking...">
              {NOT_THIS_CLIENT}
            </SubmitButton>
          </Form>
        ) : null}
        {phone ? (
          <a className={CONTACT_LINK} href={telHref(phone)}>
            <Icon of={Handset} /> Call {phone}
          </a>
        ) : null}
        <a className={CONTACT_LINK} href={mailtoHref(email)}>
          <Icon of={Mail} /> Email {email}
        </a>
      </div>
    </>
  );
}

export function ModerationNotice({ about: { moderation }, path, tokens: { release: token } }: SubmissionPage) {
  return moderation === null ? null : (
    <div className="mb-4 grid gap-2">
      <Notice
        kind="warning"
        title="Held for review."
        message={`Reason: ${moderation}. It is not counted, and no mail about it was sent.`}
      />
      {token ? (
        <Form action={path} token={token} name="release" className="print:hidden">
          <SubmitButton size="sm" intent="release" pendingLabel="Releasing...">
            Not spam
          </SubmitButton>
        </Form>
      ) : null}
    </div>
  );
}

const BAR =
  "rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet px-4 pt-[0.65rem] pb-[0.8rem] print:hidden";
const GRID =
  "compact-labels grid [--field-gap:0.2rem] [&_:is(input,select)]:h-tap [&_:is(input,select)]:py-0 [&_select]:text-sm grid-cols-[1fr_1.15fr_1fr_1fr_auto] items-end gap-x-4 gap-y-2 @max-wide:grid-cols-2 @max-narrow:grid-cols-1";

type PropertiesProps = SubmissionPage & { error: ValidationError | null };

export function SubmissionProperties({ tokens: { handling: token }, error, ...page }: PropertiesProps) {
  const { submission, due, staff, zone, ownId, path } = page;
  const promise = <Promised due={due} zone={zone} />;
  if (!token) return <div className={BAR}>{promise}</div>;
  const { status, owner, followUpOn } = submission;
  const former = owner && !staff?.some((person) => person.id === owner.id) ? [owner] : [];
  const choices = [...(staff ?? []), ...former].map((person) => ({ value: person.id, label: person.name }));
  return (
    <>
      <OnPaper submission={submission} due={due} />
      <Form action={path} token={token} name="handling" staysFilled className={BAR} aria-label="Handling">
        {error ? <ErrorSummary className="mb-3" title={error.title} errors={error.errors} /> : null}
        {staff ? null : <ErrorPanel message={STAFF_FAILED} retryTo={path} />}
        <input type="hidden" name="had_status" value={status} />
        <input type="hidden" name="had_owner" value={owner?.id ?? ""} />
        <input type="hidden" name="had_follow_up_on" value={followUpOn ?? ""} />
        <div className={GRID}>
          <Field name="status" label="Status">
            <InlineSelect tone={STATUS_STYLE[status].tone} options={SUBMISSION_STATUS_OPTIONS} defaultValue={status} />
          </Field>
          {promise}
          <Field name="owner" label="Owner">
            <Select
              key={owner?.id}
              options={[{ value: "", label: "No owner" }, ...choices]}
              defaultValue={owner?.id ?? ""}
              disabled={staff === null}
            />
          </Field>
          <Field name="follow_up_on" label="Follow up on" error={error?.errors.follow_up_on}>
            <Input key={followUpOn} type="date" autoComplete="off" defaultValue={followUpOn ?? ""} />
          </Field>
          <div className="flex items-center">
            <SaveButton variant="quiet" intent="handling">
              Save
            </SaveButton>
          </div>
        </div>
      </Form>
      <div className="mt-2">
        <AssignToMe
          path={path}
          token={token}
          isOwn={owner?.id === ownId}
          values={{ owner: ownId, had_owner: owner?.id ?? "" }}
        />
      </div>
    </>
  );
}

function OnPaper({ submission: { owner, followUpOn }, due }: Pick<SubmissionPage, "submission" | "due">) {
  const facts = [
    `Owner: ${owner?.name ?? "none"}`,
    ...(followUpOn ? [`Follow up: ${shortDay(followUpOn)}`] : []),
    ...(due ? [`Promise of 1 business day: ${dueInWords(due)}`] : []),
  ];
  return <p className="hidden print:block">{facts.join(" · ")}</p>;
}

function Promised({ due, zone }: { due: Due | null; zone: string }) {
  return (
    <div className="text-sm">
      <p className="mb-[0.2rem] font-semibold text-ink-2 text-xs">Promise: 1 business day</p>
      <div className="grid min-h-tap content-center leading-[1.2]">
        {due ? <State due={due} zone={zone} /> : "None"}
      </div>
    </div>
  );
}

function State({ due, zone }: { due: Due; zone: string }): ReactNode {
  const until = <Time at={due.dueAt} zone={zone} mode="short" />;
  const small = "text-ink-2 text-xs";
  switch (due.state) {
    case "kept":
      return (
        <>
          <span>
            <b>Kept.</b> Answered {due.time}
          </span>
          <small className={small}>was due {until}</small>
        </>
      );
    case "missed":
      return (
        <>
          <b>Answered {due.time} late</b>
          <small className={small}>was due {until}</small>
        </>
      );
    default:
      return (
        <>
          <DueText due={due} />
          <small className={small}>promised by {until}</small>
        </>
      );
  }
}

export function SubmissionSidebar({ submission, about, repeats, zone, list }: SubmissionPage) {
  const { file } = submission;
  const { sender, source, estimate } = about;
  const others = repeats.filter(({ id }) => id !== submission.id);
  return (
    <aside className="grid gap-4" aria-label="About this submission">
      {estimate ? (
        <Panel id="estimate" title="Estimate">
          <FactList facts={estimate.facts} />
          <p className="mt-1 text-sm print:hidden">
            <Link to={estimate.path}>Open at today's prices</Link>
          </p>
        </Panel>
      ) : null}
      {file ? (
        <Panel id="file" title="File">
          <p>
            <FileLink {...file} path={attachmentPath(file.id)} />
          </p>
        </Panel>
      ) : null}
      <Panel id="same-person" title="Same person">
        <ul className="grid gap-2">
          {others.map(({ id, number, submittedAt, status }) => (
            <li key={id}>
              <Link to={listedSubmissionPath(id, list.query)}>
                <Mono>{number}</Mono>
              </Link>
              , <Time at={submittedAt} zone={zone} mode="date" />
              <span className="block text-ink-2 text-xs">{SUBMISSION_STATUS_LABELS[status]}</span>
            </li>
          ))}
          {sender ? (
            <li>
              {sender.map(({ text, to }, index) => (
                <Fragment key={to ?? text}>
                  {index > 0 ? ", " : null}
                  {to ? <Link to={to}>{text}</Link> : text}
                </Fragment>
              ))}
            </li>
          ) : (
            <li className="text-ink-2 text-sm">No client account</li>
          )}
        </ul>
      </Panel>
      <Panel id="details" title="Details">
        <FactList facts={detailFacts(submission, source, zone)} />
      </Panel>
    </aside>
  );
}

const detailFacts = (submission: SubmissionRecord, source: string, zone: string) => [
  { term: "Submitted", detail: <Time at={submission.submittedAt} zone={zone} /> },
  { term: "Source", detail: source },
  {
    term: "Consent",
    detail: (
      <>
        <Time at={submission.consentAt} zone={zone} />
        <span className="block text-ink-3 text-xs">Terms of {submission.consentTermsVersion}</span>
      </>
    ),
  },
];
