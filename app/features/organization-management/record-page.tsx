import { useFetcher } from "@remix-run/react";
import { type ReactNode, useRef, useState } from "react";
import { addOns } from "~/content/add-ons";
import type { ActivityEntry } from "~/features/audit/activity/activity-entry";
import { ContactReview, type ContactReviewTokens, NEW_CONTACT } from "~/features/contacts/contact-review";
import { OtherAddresses } from "~/features/contacts/other-addresses";
import type { listContacts } from "~/features/contacts/queries.server";
import { type InvitationState, ORGANIZATION_ROLE_LABELS } from "~/features/invitations/model";
import { UNDELIVERED } from "~/features/mail/model";
import { MEMBER_STATUS_LABELS, TRANSFER_OWNERSHIP } from "~/features/members/labels";
import type { ListedNote } from "~/features/notes/model";
import { NoteForm, NoteMessage, NoteScroll } from "~/features/notes/notes";
import { ORGANIZATION_PLANS, ORGANIZATIONS_PATH } from "~/features/organizations/model";
import { useBrand } from "~/features/settings/brand";
import type { PlanNames } from "~/features/settings/model";
import { mailtoHref, telHref } from "~/lib/email";
import { plural } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { ButtonRow, LinkButton } from "~/ui/button";
import { FactList } from "~/ui/fact-list";
import { EmailInput, ErrorSummary, Field, Form, formKey, SubmitButton, useFormResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { UserText } from "~/ui/message";
import { Box, Breadcrumb, Notice, Panel, QuietLine, Sheet, SheetRows } from "~/ui/page";
import { Tag } from "~/ui/status-pill";
import { EmailText, Mono, Time } from "~/ui/text";
import { TwoFormComposer } from "~/ui/two-form-composer";
import { NEEDS_REVIEW, ORGANIZATION_CHANGED } from "./labels";
import {
  type MemberOfRecord,
  type OrganizationDetails,
  type OrganizationFormError,
  type OrganizationIntent,
  type OrganizationRecord,
  waitsForReview,
} from "./model";
import { OrganizationFields, type OrganizationValues, typedAddOns, typedValues } from "./organization-fields";
import { archivePath, deletionPath, EDIT_QUERY, organizationNotePath } from "./paths";

export function useOrganizationErrors(
  path: string,
): Record<Exclude<OrganizationIntent, "edit">, OrganizationFormError | null> {
  return {
    note: useErrorOf(path, "note"),
    review: useErrorOf(path, "review"),
    owner: useErrorOf(path, "owner"),
    resend: useErrorOf(path, "resend"),
    revoke: useErrorOf(path, "revoke"),
    link: useErrorOf(path, "link"),
  };
}

function useErrorOf(path: string, intent: OrganizationIntent): OrganizationFormError | null {
  const failed = useFormResult<OrganizationFormError>(formKey(path, intent));
  return failed?.intent === intent ? failed : null;
}

type OrganizationConflictProps = EditFormProps & { typed: OrganizationValues };

function OrganizationConflict({ organization: current, typed, token, path }: OrganizationConflictProps) {
  const { planNames } = useBrand();
  return (
    <Box className="grid gap-[0.9rem]" role="alert">
      <p>{ORGANIZATION_CHANGED}. Nothing of yours is saved yet.</p>
      <h2>The organization as it is now</h2>
      <FactList facts={factsOf(valuesOf(current), planNames)} />
      <h2>Your version</h2>
      <FactList facts={factsOf(typed, planNames)} />
      <Form action={path + EDIT_QUERY} token={token} name="edit">
        <input type="hidden" name="version" value={current.version} />
        {Object.entries(typed).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <ButtonRow dense>
          <SubmitButton variant="danger" intent="edit" pendingLabel="Saving...">
            Overwrite
          </SubmitButton>
          <LinkButton variant="quiet" to={path}>
            Discard
          </LinkButton>
        </ButtonRow>
      </Form>
    </Box>
  );
}

const valuesOf = (details: OrganizationDetails): OrganizationValues => {
  const { name, description, phone, plan, addOns, domains, reviewsContacts } = details;
  return {
    ...typedAddOns(Object.fromEntries(addOns.map((id) => [id, "on"]))),
    ...{ name, description, phone, plan, domains: domains.join("\n") },
    review_contacts: reviewsContacts ? "on" : "",
  };
};

const addOnNames = (ids: readonly string[]): string | null =>
  addOns
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(", ") || null;

const REVIEWS = { yes: "Reviewed", no: "Not reviewed" };

const factsOf = (
  { name, description, phone, plan, domains, review_contacts: reviews, ...rest }: OrganizationValues,
  planNames: PlanNames,
) => [
  { term: "Name", detail: name },
  { term: "Description", detail: description ? <UserText size="sm">{description}</UserText> : null },
  { term: "Phone", detail: phone || null },
  { term: "Plan", detail: planNames[ORGANIZATION_PLANS.find((id) => id === plan) ?? "none"] },
  { term: "Add-ons", detail: addOnNames(Object.entries(rest).flatMap(([id, on]) => (on ? [id] : []))) },
  { term: "Domains", detail: domains ? <UserText size="sm">{domains}</UserText> : null },
  { term: "New people who write", detail: reviews === "" ? REVIEWS.no : REVIEWS.yes },
];

type EditOrganizationProps = {
  organization: OrganizationRecord;
  path: string;
  token: string | null;
  isEditing: boolean;
};

export function EditOrganization({ organization, path, token, isEditing }: EditOrganizationProps) {
  return token && isEditing ? (
    <EditForm organization={organization} path={path} token={token} />
  ) : (
    <Details organization={organization} editTo={token && path + EDIT_QUERY} />
  );
}

type EditFormProps = { organization: OrganizationRecord; path: string; token: string };

/** Is sent to the address it is shown at, and forgets what was wrong when one leaves that. */
function EditForm({ organization, path, token }: EditFormProps) {
  const error = useSettled(useErrorOf(path + EDIT_QUERY, "edit"), path + EDIT_QUERY);
  if (error?.isConflict) {
    return <OrganizationConflict {...{ organization, path, token }} typed={typedValues(error.values)} />;
  }
  return (
    <div id="edit" className="scroll-mt-4">
      <Panel id="details" title="Edit organization">
        <Form action={path + EDIT_QUERY} token={token} name="edit" className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
          <Fields organization={organization} error={error} />
          <div>
            <SubmitButton intent="edit" pendingLabel="Saving...">
              Save
            </SubmitButton>{" "}
            <LinkButton variant="quiet" to={path}>
              Cancel
            </LinkButton>
          </div>
        </Form>
      </Panel>
    </div>
  );
}

/** Keeps an error until the page has read what was saved: a form made before that would show what was there before. */
function useSettled(error: OrganizationFormError | null, path: string): OrganizationFormError | null {
  const { state } = useFetcher({ key: formKey(path, "edit") });
  const settled = useRef(error);
  if (state === "idle") settled.current = error;
  return settled.current;
}

/**
 * Shows the fields with what was opened, which is what is changed, also after the page has read a newer version. Once
 * saved, the form makes them anew.
 */
function Fields({ organization, error }: { organization: OrganizationRecord; error: OrganizationFormError | null }) {
  const [opened] = useState(organization);
  const { version } = opened;
  const values = error ? typedValues(error.values) : valuesOf(opened);
  return (
    <>
      <input type="hidden" name="version" value={error?.values.version ?? version} />
      <OrganizationFields values={values} errors={error?.errors ?? {}} />
    </>
  );
}

function Details({ organization, editTo }: { organization: OrganizationRecord; editTo: string | null }) {
  const { description, phone, addOns: chosen, plan, domains, reviewsContacts } = organization;
  const { planNames } = useBrand();
  return (
    <Panel id="details" title="Details">
      <FactList
        facts={[
          { term: "Description", detail: description ? <UserText size="sm">{description}</UserText> : null },
          { term: "Phone", detail: phone ? <a href={telHref(phone)}>{phone}</a> : null },
          { term: "Plan", detail: planNames[plan] },
          { term: "Add-ons", detail: addOnNames(chosen) },
          { term: "Domains", detail: domains.length > 0 ? domains.join(", ") : null },
          { term: "New people who write", detail: reviewsContacts ? REVIEWS.yes : REVIEWS.no },
        ]}
      />
      {editTo ? (
        <p className="mt-2 print:hidden">
          <Link to={editTo}>Edit organization</Link>
        </p>
      ) : null}
    </Panel>
  );
}

type OrganizationHeadProps = {
  organization: OrganizationRecord;
  path: string;
  mayDelete: boolean;
  reviewToken: string | null;
  error: OrganizationFormError | null;
  /** Holds the name of its creator, who waits for the review; null: nobody waits. */
  waiting: string | null;
  ticketTo: string;
  editTo: string | null;
};

export function OrganizationHead({ organization, path, error, waiting, editTo, ...rest }: OrganizationHeadProps) {
  const { mayDelete, reviewToken, ticketTo } = rest;
  const { id, name, needsReview, description, phone, plan, domains } = organization;
  const { planNames } = useBrand();
  return (
    <>
      <Breadcrumb dense items={[{ label: "Organizations", to: ORGANIZATIONS_PATH }, { label: name }]} />
      <div className="clear-both mb-4 flex flex-wrap items-center gap-x-[0.9rem] gap-y-2">
        <h1 className="wrap-anywhere">{name}</h1>
        <Tag>{planNames[plan]}</Tag>
        {needsReview ? <Tag className="font-semibold">{NEEDS_REVIEW}</Tag> : null}
        <span className="ml-auto flex flex-wrap gap-2 max-md:ml-0 print:hidden">
          <LinkButton size="sm" to={ticketTo}>
            New Ticket
          </LinkButton>
          {editTo ? (
            <LinkButton variant="quiet" size="sm" to={editTo}>
              Edit
            </LinkButton>
          ) : null}
          {mayDelete ? (
            <>
              <LinkButton variant="quiet" size="sm" to={archivePath(id)}>
                Download all data
              </LinkButton>
              <LinkButton variant="quiet" size="sm" to={deletionPath(id)}>
                Delete…
              </LinkButton>
            </>
          ) : null}
        </span>
      </div>
      <p className="wrap-anywhere mb-4 flex max-w-none flex-wrap items-center gap-x-5 gap-y-1 text-ink-2">
        {description ? <span>{description.length > 120 ? `${description.slice(0, 120)}…` : description}</span> : null}
        {phone ? <a href={telHref(phone)}>Call {phone}</a> : null}
        {domains.length > 0 ? <span>{domains.join(", ")}</span> : null}
      </p>
      {error ? <ErrorSummary className="mb-4" title={error.title} errors={error.errors} /> : null}
      {needsReview ? (
        <div className="mb-4 grid gap-2">
          <Notice
            kind="info"
            title="Created by a client."
            message={`Check name, plan and domains, then mark it as reviewed.${waiting ? ` ${waiting} gets in with that.` : ""}`}
          />
          {reviewToken ? (
            <Form action={path} token={reviewToken} name="review" className="print:hidden">
              <SubmitButton size="sm" intent="review" pendingLabel="Saving...">
                Reviewed
              </SubmitButton>
            </Form>
          ) : null}
        </div>
      ) : null}
    </>
  );
}

type OrganizationHistoryProps = {
  history: readonly ActivityEntry[];
  zone: string;
  /** Holds the address of this page: what happened to the organization itself needs no link. */
  path: string;
};

export function OrganizationHistory({ history, zone, path }: OrganizationHistoryProps) {
  return (
    <section className="grid gap-[0.6rem]" aria-labelledby="history-title">
      <h2 className="text-md" id="history-title">
        History
      </h2>
      {history.length === 0 ? <p className="text-ink-2">No history yet.</p> : null}
      <ol className="grid gap-1">
        {history.map(({ id, at, sentence, details, href }) => (
          <li key={id}>
            <QuietLine when={<Time at={at} zone={zone} mode="short" />}>
              {href && href !== path ? <Link to={href}>{sentence}</Link> : sentence}
              {details ? `, ${details}` : null}
            </QuietLine>
          </li>
        ))}
      </ol>
    </section>
  );
}

type OrganizationMembersProps = {
  members: readonly MemberOfRecord[];
  total: number;
  allTo: string;
  zone: string;
};

export function OrganizationMembers({ members, total, allTo, zone }: OrganizationMembersProps) {
  const all = total > members.length ? `All ${total.toLocaleString("en-US")} members` : "Manage members";
  return (
    <Sheet id="members" title="People" aside={<Link to={allTo}>{all}</Link>}>
      {members.length > 0 ? (
        <SheetRows>
          {members.map(({ id, name, knownAs, email, role, status, phone, signedInAt }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="wrap-anywhere min-w-0 flex-[1_1_14rem]">
                <b>{name ?? knownAs ?? email}</b>
                {(name ?? knownAs) ? <span className="block text-ink-2 text-sm">{email}</span> : null}
              </span>
              <Tag>{ORGANIZATION_ROLE_LABELS[role]}</Tag>
              <span className="w-20 text-ink-2 text-sm">
                {waitsForReview({ status, name }) ? "Waits" : MEMBER_STATUS_LABELS[status]}
              </span>
              <span className="w-36 text-sm">
                {phone ? <a href={telHref(phone)}>{phone}</a> : <span className="text-ink-3">no phone</span>}
              </span>
              <span className="w-40 text-ink-2 text-sm">
                {signedInAt === null ? (
                  "no recent sign-in"
                ) : (
                  <>
                    signed in <Time at={signedInAt} zone={zone} mode="short" />
                  </>
                )}
              </span>
            </li>
          ))}
        </SheetRows>
      ) : (
        <p className="max-w-none border-line border-t px-4 py-3 text-ink-2">No members found</p>
      )}
    </Sheet>
  );
}

type OrganizationContactsProps = {
  contacts: Awaited<ReturnType<typeof listContacts>>["contacts"];
  isMore: boolean;
  path: string;
  tokens: ContactReviewTokens & { remove_address: string | null };
};

export function OrganizationContacts({ contacts, isMore, path, tokens }: OrganizationContactsProps) {
  if (contacts.length === 0) return null;
  return (
    <Sheet id="contacts" title="People without an account">
      <SheetRows>
        {contacts.map(({ id, name, email, phone, needsReview, otherAddresses }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="wrap-anywhere min-w-0 flex-[1_1_14rem]">
              <b>{name}</b> {needsReview ? <Tag className="font-semibold">{NEW_CONTACT}</Tag> : null}
              <a className="block text-sm" href={mailtoHref(email)}>
                <EmailText email={email} />
              </a>
            </span>
            {phone ? <a href={telHref(phone)}>{phone}</a> : null}
            {needsReview ? <ContactReview contact={{ id, name }} path={path} tokens={tokens} /> : null}
            <OtherAddresses emails={otherAddresses} path={path} token={tokens.remove_address} />
          </li>
        ))}
      </SheetRows>
      {isMore ? (
        <p className="max-w-none border-line border-t px-4 py-3 text-ink-2 text-sm">
          These are the first {contacts.length} by name. There are more.
        </p>
      ) : null}
    </Sheet>
  );
}

type OrganizationNotesProps = {
  organizationId: string;
  notes: { shown: readonly ListedNote[]; earlier: Instant | null; isEarlier: boolean };
  zone: string;
  path: string;
  token: string | null;
  error: OrganizationFormError | null;
};

export function OrganizationNotes({ organizationId, notes, zone, path, token, error }: OrganizationNotesProps) {
  const { shown, earlier, isEarlier } = notes;
  return (
    <section className="grid gap-[0.6rem]" aria-labelledby="notes-title">
      <h2 className="text-md" id="notes-title">
        Notes about the client
      </h2>
      {token ? <TwoFormComposer reply={null} note={<NoteForm path={path} token={token} error={error} />} /> : null}
      {shown.length === 0 ? (
        <p className="text-ink-2">No notes yet. Only staff see them.</p>
      ) : (
        <NoteScroll label="All notes">
          <ol className="grid gap-[0.6rem]">
            {shown.map((note) => (
              <li key={note.id}>
                <NoteMessage
                  note={note}
                  zone={zone}
                  notePath={(noteId, page) => organizationNotePath(organizationId, noteId, page)}
                />
              </li>
            ))}
          </ol>
        </NoteScroll>
      )}
      {earlier !== null || isEarlier ? (
        <p className="flex gap-4 text-sm print:hidden">
          {earlier === null ? null : <Link to={`${path}?until=${earlier}#notes-title`}>Show earlier</Link>}
          {isEarlier ? <Link to={`${path}#notes-title`}>Show the latest</Link> : null}
        </p>
      ) : null}
    </section>
  );
}

type Owner = MemberOfRecord & { invitation: InvitationState | null };

type OrganizationOwnerProps = {
  owner: Owner | null;
  zone: string;
  path: string;
  tokens: Record<OrganizationIntent, string | null>;
  errors: Pick<ReturnType<typeof useOrganizationErrors>, "owner" | "resend" | "revoke" | "link">;
  transferTo: string | null;
};

export function OrganizationOwner({ owner, ...rest }: OrganizationOwnerProps) {
  const { transferTo } = rest;
  if (owner && waitsForReview(owner)) return <WaitingOwner owner={owner} />;
  if (owner?.status === "pending") return <PendingOwner owner={owner} {...rest} />;
  return (
    <div className="grid gap-3">
      {owner ? (
        <p className="wrap-anywhere">
          <b>{owner.name}</b> <Tag>{ORGANIZATION_ROLE_LABELS.owner}</Tag>
          <span className="block text-ink-2 text-sm">{owner.email}</span>
        </p>
      ) : (
        <InviteOwner {...rest} />
      )}
      {transferTo ? (
        <p>
          <Link to={transferTo}>{owner ? `${TRANSFER_OWNERSHIP}…` : "Make a member the owner…"}</Link>
        </p>
      ) : null}
    </div>
  );
}

type PartProps = Omit<OrganizationOwnerProps, "owner">;

function InviteOwner({ path, tokens, errors }: PartProps) {
  if (!tokens.owner) return <p className="text-ink-2">No owner</p>;
  const error = errors.owner;
  return (
    <Form action={path} token={tokens.owner} name="owner" className="grid gap-3">
      {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
      <Field name="owner_email" label="No owner yet. Invite one" error={error?.errors.owner_email}>
        <EmailInput autoComplete="off" defaultValue={error?.values.owner_email} />
      </Field>
      <div>
        <SubmitButton size="sm" variant="quiet" intent="owner" pendingLabel="Inviting...">
          Invite owner
        </SubmitButton>
      </div>
    </Form>
  );
}

function WaitingOwner({ owner: { name, email } }: { owner: Owner }) {
  return (
    <p className="wrap-anywhere">
      <b>{name}</b>
      <span className="block text-ink-2 text-sm">{email}</span>
      <span className="mt-1 block text-sm">Waits until you have reviewed the organization.</span>
    </p>
  );
}

function PendingOwner({ owner, zone, path, tokens, errors }: PartProps & { owner: Owner }) {
  const { email, invitation } = owner;
  const hasFailed = UNDELIVERED.some((status) => status === invitation?.mail);
  const error = errors.resend ?? errors.revoke;
  const link = errors.link;
  return (
    <div className="grid gap-2">
      <p className="wrap-anywhere">
        <Tag className="font-semibold">Owner pending</Tag>
        <span className="mt-1 block">{email}</span>
      </p>
      {invitation ? (
        <p className="text-ink-2 text-sm">
          Invited by {invitation.invitedBy}, <Time at={invitation.sentAt} zone={zone} mode="short" />.{" "}
          {invitation.state === "expired" ? (
            "The invitation has expired."
          ) : (
            <>
              Expires <Time at={invitation.expiresAt} zone={zone} mode="short" />.
            </>
          )}
        </p>
      ) : null}
      {invitation?.mail === "delayed" ? <p className="text-ink-2 text-sm">Email delayed</p> : null}
      {hasFailed ? (
        <p className="font-semibold text-danger text-sm">Email failed: {invitation?.failure ?? "not delivered"}</p>
      ) : null}
      {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
      {link?.values.url ? (
        <p className="wrap-anywhere text-sm" role="status">
          Send this link to {email}. It is shown only once: <Mono>{link.values.url}</Mono>
        </p>
      ) : null}
      <ButtonRow dense>
        <OwnerForm intent="resend" label="Resend" pendingLabel="Sending..." path={path} token={tokens.resend} />
        <OwnerForm intent="revoke" label="Revoke" pendingLabel="Revoking..." path={path} token={tokens.revoke} />
        {hasFailed ? (
          <OwnerForm intent="link" label="Copy link" pendingLabel="Making..." path={path} token={tokens.link} />
        ) : null}
      </ButtonRow>
    </div>
  );
}

type OwnerFormProps = {
  intent: "resend" | "revoke" | "link";
  label: string;
  pendingLabel: string;
  path: string;
  token: string | null;
};

function OwnerForm({ intent, label, pendingLabel, path, token }: OwnerFormProps) {
  if (!token) return null;
  return (
    <Form action={path} token={token} name={intent}>
      <SubmitButton variant="quiet" size="sm" intent={intent} pendingLabel={pendingLabel}>
        {label}
      </SubmitButton>
    </Form>
  );
}

type OrganizationSidebarProps = {
  organization: OrganizationRecord;
  owner: ReactNode;
  /** How much of what the plan limits is used in this contract year. */
  allowances: readonly { label: string; used: string }[];
  zone: string;
};

const VISIBILITY = { all: "All tickets of the organization", own: "Only their own tickets" };

export function OrganizationSidebar({ organization, owner, allowances, zone }: OrganizationSidebarProps) {
  const { plan, contractStartedAt, createdAt, activeMembers, tickets, activeTickets } = organization;
  const { planNames } = useBrand();
  const dateOf = (at: number | null) => (at === null ? null : <Time at={at} zone={zone} mode="date" />);
  const active = activeTickets.toLocaleString("en-US");
  return (
    <aside className="grid gap-4" aria-label="About this organization">
      <Panel id="owner" title="Owner">
        {owner}
      </Panel>
      <Panel id="contract" title="Contract">
        <FactList
          facts={[
            { term: "Plan", detail: planNames[plan] },
            { term: "Since", detail: dateOf(contractStartedAt) },
            { term: "Add-ons", detail: addOnNames(organization.addOns) },
            ...allowances.map(({ label, used }) => ({ term: label, detail: used })),
            { term: "Created", detail: dateOf(createdAt) },
            { term: "Slug", detail: organization.slug },
            { term: "Members", detail: activeMembers.toLocaleString("en-US") },
            { term: "Tickets", detail: `${tickets.toLocaleString("en-US")}, ${active} active` },
          ]}
        />
      </Panel>
      <Panel id="rules" title="Rules for members">
        <FactList
          facts={[
            { term: "Two-step sign-in", detail: <MfaRule organization={organization} zone={zone} /> },
            { term: "They see", detail: VISIBILITY[organization.visibility] },
          ]}
        />
      </Panel>
    </aside>
  );
}

function MfaRule({ organization, zone }: { organization: OrganizationRecord; zone: string }) {
  const { mfaRequiredAt, membersWithoutMfa, activeMembers } = organization;
  const complete = activeMembers === 0 ? "No active members" : "Everyone has it";
  const lacking = membersWithoutMfa === 0 ? complete : `${plural(membersWithoutMfa, "member")} without it`;
  return (
    <>
      {mfaRequiredAt === null ? (
        "Not required"
      ) : (
        <>
          Required since <Time at={mfaRequiredAt} zone={zone} mode="date" />
        </>
      )}
      <span className="block text-ink-3 text-xs">{lacking}</span>
    </>
  );
}
