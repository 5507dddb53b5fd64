import { ContactReview, NEW_CONTACT } from "~/features/contacts/contact-review";
import { organizationPath } from "~/features/organizations/model";
import { STAFF_FAILED } from "~/features/users/model";
import { mailtoHref, telHref } from "~/lib/email";
import { AssignToMe } from "~/ui/assign-to-me";
import { type Fact, FactList } from "~/ui/fact-list";
import { ErrorSummary, Field, Form, SaveButton, Select, SubmitButton, Textarea } from "~/ui/form";
import { Link } from "~/ui/link";
import { UserText } from "~/ui/message";
import { ErrorPanel, Panel, Rejection } from "~/ui/page";
import { InlineSelect, Tag } from "~/ui/status-pill";
import { EmailText, Mono, Time, VisuallyHidden } from "~/ui/text";
import {
  CATEGORY_NONE,
  CATEGORY_OPTIONS,
  PRIORITY_OPTIONS,
  TICKET_STATUS_LABELS,
  TICKET_STATUS_OPTIONS,
  UNASSIGNED,
} from "../labels";
import { allowancesPath, movePath, requesterPath, staffCcPath, staffTicketPath } from "../paths";
import { STATUS_TONES } from "../ui/badges";
import { ColleagueFields, MuteForm } from "../ui/people-forms";
import type { TicketPage } from "./actions.server";
import { useTicketError } from "./composer";

export function TicketProperties({ ticket, staff, ownId, path, tokens }: TicketPage) {
  const { status, assignee, category } = ticket;
  const error = useTicketError(path, "handling");
  const former = assignee && !staff?.some(({ id }) => id === assignee.id) ? [assignee] : [];
  const choices = [...(staff ?? []), ...former].map(({ id, name }) => ({ value: id, label: name }));
  // Resolving says what was done, beside the reply.
  const statuses = TICKET_STATUS_OPTIONS.filter(({ value }) => value !== "resolved" || status === "resolved");
  if (!tokens.handling) return null;
  return (
    <Panel id="handling" title="Ticket details">
      <p className="hidden print:block">
        Assigned to: {assignee?.name ?? UNASSIGNED} · {category ?? CATEGORY_NONE}
      </p>
      <Form action={path} token={tokens.handling} name="handling" staysFilled className="grid gap-3 print:hidden">
        {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
        {staff ? null : <ErrorPanel message={STAFF_FAILED} retryTo={path} />}
        <input type="hidden" name="had_status" value={status} />
        <input type="hidden" name="had_assignee_id" value={assignee?.id ?? ""} />
        <input type="hidden" name="had_category" value={category ?? ""} />
        <Field name="status" label="Status">
          <InlineSelect tone={STATUS_TONES[status]} options={statuses} defaultValue={status} />
        </Field>
        <Field name="assignee_id" label="Assigned to">
          <Select
            key={assignee?.id}
            options={[{ value: "", label: UNASSIGNED }, ...choices]}
            defaultValue={assignee?.id ?? ""}
            disabled={staff === null}
          />
        </Field>
        <Field name="category" label="Category">
          <Select key={category} options={CATEGORY_OPTIONS} defaultValue={category ?? ""} />
        </Field>
        <SaveButton variant="quiet" size="sm" intent="handling">
          Save
        </SaveButton>
      </Form>
      <div className="mt-3">
        <AssignToMe
          path={path}
          token={tokens.handling}
          isOwn={assignee?.id === ownId}
          values={{ assignee_id: ownId, had_assignee_id: assignee?.id ?? "" }}
        />
      </div>
      {tokens.priority ? <Priority priority={ticket.priority} path={path} token={tokens.priority} /> : null}
      <p className="mt-2 grid justify-items-start border-line border-t pt-1 text-sm print:hidden [&_a]:py-1 max-md:[&_a]:py-3">
        <Link to={allowancesPath(ticket.reference)}>Use of the plan…</Link>
        <Link to={staffCcPath(ticket.reference)}>Copy other addresses…</Link>
        <Link to={movePath(ticket.reference)}>Move to another organization…</Link>
      </p>
    </Panel>
  );
}

function Priority({ priority, path, token }: { priority: string; path: string; token: string }) {
  const error = useTicketError(path, "priority");
  return (
    <details className="mt-3 border-line border-t pt-1 print:hidden" open={error ? true : undefined}>
      <summary className="cursor-pointer py-1 text-sm max-md:py-3">Change the priority…</summary>
      <Form action={path} token={token} name="priority" className="mt-2 grid gap-3">
        {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
        <Field name="priority" label="Priority" error={error?.errors.priority}>
          <Select key={priority} options={PRIORITY_OPTIONS} defaultValue={error?.values.priority ?? priority} />
        </Field>
        <Field name="reason" label="Reason" hint="The client reads it." error={error?.errors.reason}>
          <Textarea rows={2} maxLength={500} defaultValue={error?.values.reason} />
        </Field>
        <SubmitButton
          className="justify-self-start"
          variant="quiet"
          size="sm"
          intent="priority"
          pendingLabel="Saving..."
        >
          Change priority
        </SubmitButton>
      </Form>
    </details>
  );
}

export function RequesterPanel({ ticket, about, path, tokens }: TicketPage) {
  const { creator, contact, organization } = ticket;
  const { creatorPhone, creatorEmail } = about;
  const accountNote = contact && (contact.isRefused ? "not one of theirs" : "no account");
  return (
    <Panel id="requester" title="Requester">
      <p className="wrap-anywhere">
        <b>{creator.name}</b>
        {accountNote ? ` (${accountNote})` : null}
      </p>
      <div className="grid justify-items-start text-sm [&_a]:py-1 max-md:[&_a]:py-3">
        {creatorPhone ? <a href={telHref(creatorPhone)}>{creatorPhone}</a> : null}
        {creatorEmail ? (
          <a href={mailtoHref(creatorEmail)}>
            <EmailText email={creatorEmail} />
          </a>
        ) : null}
        {tokens.handling ? (
          <span className="print:hidden">
            <Link to={requesterPath(ticket.reference)}>Change requester…</Link>
          </span>
        ) : null}
      </div>
      {contact?.needsReview ? (
        <div className="mt-3 grid gap-2 border-line border-t pt-3 text-sm print:hidden">
          <p>
            <Tag className="font-semibold">{NEW_CONTACT}</Tag> Their first mail has made them known. Is {creator.name}{" "}
            one of {organization.name}? If not, they get no more mail about it.
          </p>
          <ContactReview contact={{ id: contact.id, name: creator.name }} path={path} tokens={tokens} />
        </div>
      ) : null}
    </Panel>
  );
}

export function ClientSidebar({ ticket, about, zone, path, tokens }: TicketPage) {
  const { recent, followUps, followUpOf, notes } = about;
  return (
    <>
      <Panel id="client" title="Client">
        <FactList facts={clientFacts(ticket, about, zone)} />
      </Panel>
      <People about={about} path={path} tokens={tokens} />
      {followUpOf || followUps.length > 0 ? (
        <Panel id="follow-ups" title="Linked tickets">
          <ul className="grid gap-1">
            {followUpOf ? (
              <li>
                Follow-up of <Link to={staffTicketPath(followUpOf)}>{followUpOf}</Link>
              </li>
            ) : null}
            {followUps.map(({ id, reference, title }) => (
              <li key={id}>
                <Link to={staffTicketPath(reference)}>{reference}</Link> {title}
              </li>
            ))}
          </ul>
        </Panel>
      ) : null}
      <Panel id="recent" title="Recent tickets">
        {recent.length === 0 ? <p className="text-ink-2 text-sm">No other tickets</p> : null}
        <ul className="grid gap-2">
          {recent.map(({ id, reference, title, status }) => (
            <li key={id} className="wrap-anywhere">
              <Link to={staffTicketPath(reference)}>
                <Mono>{reference}</Mono>
              </Link>{" "}
              {title}
              <span className="block text-ink-2 text-xs">{TICKET_STATUS_LABELS[status]}</span>
            </li>
          ))}
        </ul>
      </Panel>
      {notes.length > 0 ? (
        <Panel id="client-notes" title="Notes about the client">
          <ul className="grid gap-3">
            {notes.map(({ id, author, text, createdAt }) => (
              <li key={id}>
                <UserText size="sm">{text}</UserText>
                <span className="text-ink-2 text-xs">
                  {author}, <Time at={createdAt} zone={zone} mode="date" />
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      ) : null}
    </>
  );
}

function clientFacts(
  { organization, impact, oldNumber, resolvedAt, closedAt }: TicketPage["ticket"],
  { plan, coverage, allowances }: TicketPage["about"],
  zone: string,
): Fact[] {
  const time = (term: string, at: number | null): Fact[] =>
    at === null ? [] : [{ term, detail: <Time at={at} zone={zone} mode="short" /> }];
  return [
    { term: "Organization", detail: <Link to={organizationPath(organization.id)}>{organization.name}</Link> },
    { term: "Plan", detail: plan },
    { term: "Coverage", detail: coverage },
    ...allowances.map(({ label, used }) => ({ term: label, detail: used })),
    ...(impact ? [{ term: "Impact", detail: impact }] : []),
    ...(oldNumber ? [{ term: "Old number", detail: <Mono>{oldNumber}</Mono> }] : []),
    ...time("Resolved", resolvedAt),
    ...time("Closed", closedAt),
  ];
}

function People({ about, path, tokens }: Pick<TicketPage, "about" | "path" | "tokens">) {
  const { people, colleagues, hasMoreColleagues, isMuted } = about;
  const error = useTicketError(path, "people");
  return (
    <Panel id="people" title="People on this ticket">
      {people.length === 0 ? <p className="text-ink-2 text-sm">Only its creator</p> : null}
      <ul className="grid gap-1">
        {people.map(({ id, name }) => (
          <li key={id} className="flex items-center justify-between gap-2">
            <span className="wrap-anywhere">{name}</span>
            {tokens.remove_person ? (
              <Form action={path} token={tokens.remove_person} name={`remove ${id}`} className="print:hidden">
                <input type="hidden" name="person" value={id} />
                <SubmitButton variant="quiet" size="xs" intent="remove_person" pendingLabel="Removing...">
                  Remove<VisuallyHidden> {name}</VisuallyHidden>
                </SubmitButton>
              </Form>
            ) : null}
          </li>
        ))}
      </ul>
      {tokens.add_person && colleagues.length > 0 ? (
        <Form action={path} token={tokens.add_person} name="people" className="mt-2 grid gap-2 print:hidden">
          <Rejection message={error?.errors.form} />
          <ColleagueFields
            name="person"
            label="Add a person"
            colleagues={colleagues}
            isMore={hasMoreColleagues}
            error={error}
          />
          <SubmitButton
            className="justify-self-start"
            variant="quiet"
            size="sm"
            intent="add_person"
            pendingLabel="Adding..."
          >
            Add
          </SubmitButton>
        </Form>
      ) : null}
      {tokens.mute ? (
        <div className="mt-3 border-line border-t pt-2 print:hidden">
          <MuteForm isMuted={isMuted} path={path} token={tokens.mute} />
        </div>
      ) : null}
    </Panel>
  );
}
