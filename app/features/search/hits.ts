import type { FoundContact } from "~/features/contacts/queries.server";
import { ORGANIZATION_ROLE_LABELS } from "~/features/invitations/model";
import type { ListedMember } from "~/features/members/model";
import type { ListedOrganization } from "~/features/organization-management/model";
import { organizationContactsPath, organizationPath } from "~/features/organizations/model";
import { SUBMISSION_STATUS_LABELS } from "~/features/submissions/labels";
import type { ListedSubmission } from "~/features/submissions/model";
import { submissionPath } from "~/features/submissions/subject";
import { TICKET_STATUS_LABELS } from "~/features/tickets/labels";
import type { TicketStatus } from "~/features/tickets/model";
import { userPath } from "~/features/users/model";
import { fold } from "~/lib/text";
import type { ListRead } from "~/lists/model";
import { MESSAGES_BY_WORD, NO_ACCOUNT } from "./labels";
import type { FoundMessage } from "./messages.server";
import {
  CONTACTS_SHOWN,
  excerptAround,
  type Hit,
  type HitGroup,
  hasMatch,
  MESSAGES_SHOWN,
  markMatches,
  wordsOf,
} from "./model";

type TicketRow = {
  id: string;
  number: string;
  oldNumber?: string | null;
  title: string;
  status: TicketStatus;
  organization: string | null;
};

const NOTHING = { reason: null, at: null, excerpt: null } as const;

/** `description`: read where neither title, number nor organization has the term. */
export function ticketHit(
  { id, number, oldNumber, title, status, organization }: TicketRow,
  { terms, path, description }: { terms: readonly string[]; path: string; description: string | undefined },
): Hit {
  const facts = [TICKET_STATUS_LABELS[status], ...(organization === null ? [] : [organization])];
  const hit = { id, to: path, reference: number, title: markMatches(title, terms), facts };
  if (hasMatch(title, terms) || hasMatch(number, terms)) return { ...hit, ...NOTHING };
  if (oldNumber && hasMatch(oldNumber, terms))
    return { ...hit, reason: "in the old number", at: null, excerpt: excerptAround(oldNumber, terms) };
  if (description === undefined) return { ...hit, ...NOTHING, reason: "in the name of the organization" };
  return { ...hit, reason: "in the description", at: null, excerpt: excerptAround(description, terms) };
}

export const isInDescription = (
  { title, number, oldNumber, organization }: TicketRow,
  terms: readonly string[],
): boolean => ![title, number, oldNumber ?? "", organization ?? ""].some((text) => hasMatch(text, terms));

type Named = { label: string; text: string | null };

function reasonOf(facts: readonly Named[], terms: readonly string[]): Pick<Hit, "reason" | "at" | "excerpt"> {
  const found = facts.find(({ text }) => text !== null && hasMatch(text, terms));
  return found ? { reason: found.label, at: null, excerpt: excerptAround(found.text ?? "", terms) } : { ...NOTHING };
}

export function submissionHit(
  row: Pick<ListedSubmission, "id" | "number" | "name" | "email" | "company" | "status">,
  terms: readonly string[],
): Hit {
  const { id, number, name, email, company, status } = row;
  return {
    id,
    to: submissionPath(id),
    reference: number,
    title: markMatches(name, terms),
    ...(hasMatch(name, terms)
      ? NOTHING
      : reasonOf(
          [
            { label: "in the email address", text: email },
            { label: "in the company", text: company },
          ],
          terms,
        )),
    facts: [SUBMISSION_STATUS_LABELS[status]],
  };
}

export function organizationHit({ id, name, slug, description }: ListedOrganization, terms: readonly string[]): Hit {
  return {
    id,
    to: organizationPath(id),
    reference: null,
    title: markMatches(name, terms),
    ...(hasMatch(name, terms)
      ? NOTHING
      : reasonOf(
          [
            { label: "in the short name", text: slug },
            { label: "in the description", text: description },
          ],
          terms,
        )),
    facts: [],
  };
}

type PersonRow = { id: string; name: string; email: string; facts: readonly string[]; to: string };

const personHit = ({ id, name, email, facts, to }: PersonRow, terms: readonly string[]): Hit => ({
  id,
  to,
  reference: null,
  title: markMatches(name, terms),
  reason: hasMatch(name, terms) ? null : "in the email address",
  at: null,
  excerpt: markMatches(email, terms),
  facts,
});

export const userHit = (row: { id: string; name: string; email: string }, terms: readonly string[]): Hit =>
  personHit({ ...row, facts: [], to: userPath(row.id) }, terms);

export const memberHit = (row: ListedMember, terms: readonly string[]): Hit =>
  personHit(
    {
      ...row,
      facts: [ORGANIZATION_ROLE_LABELS[row.role], row.organizationName],
      to: organizationPath(row.organizationId),
    },
    terms,
  );

export function contactGroup(found: readonly FoundContact[], terms: readonly string[]): HitGroup {
  const hits = found
    .slice(0, CONTACTS_SHOWN)
    .map(({ organizationId, organization, ...contact }) =>
      personHit({ ...contact, facts: [NO_ACCOUNT, organization], to: organizationContactsPath(organizationId) }, terms),
    );
  return {
    id: "contacts",
    title: "People without an account",
    hits,
    total: { count: hits.length, more: found.length > CONTACTS_SHOWN ? "certainly" : false },
    listPath: null,
    noun: { one: "person", many: "people" },
    note: null,
  };
}

/** As `defineList` returns it. */
type SearchedList<Filter> = {
  noun: { one: string; many: string };
  readFilter: (params: URLSearchParams) => Filter;
  pathTo: (filter: Filter) => string;
};

type ListGroup<Filter, Row> = {
  id: string;
  title: string;
  list: SearchedList<Filter>;
  filter: Filter;
  read: ListRead<Row>;
  hitOf: (row: Row) => Hit;
};

export const listGroup = <Filter, Row>({ id, title, list, filter, read, hitOf }: ListGroup<Filter, Row>): HitGroup => ({
  id,
  title,
  hits: read.page.rows.map(hitOf),
  total: read.total,
  listPath: list.pathTo(filter),
  noun: list.noun,
  note: null,
});

type MessageGroup = {
  text: string;
  messages: readonly FoundMessage[];
  pathOf: (number: string) => string;
  authorOf: (message: FoundMessage) => string;
  withOrganization: boolean;
  note?: string;
};

export function messageGroup({ text, messages, pathOf, authorOf, withOrganization, note }: MessageGroup): HitGroup {
  const terms = wordsOf(text).map(fold);
  const isMore = messages.length > MESSAGES_SHOWN;
  const hits = messages.slice(0, MESSAGES_SHOWN).map((message): Hit => {
    const number = `T-${message.ticketNumber}`;
    return {
      id: message.id,
      to: pathOf(number),
      reference: number,
      title: markMatches(message.title, terms),
      reason: message.isInternal ? "in an internal note of" : "in a reply of",
      at: message.at,
      excerpt: excerptAround(message.part, terms),
      facts: [authorOf(message), ...(withOrganization ? [message.organization] : [])],
    };
  });
  return {
    id: "messages",
    title: "Messages",
    hits,
    total: { count: hits.length, more: isMore ? "certainly" : false },
    listPath: null,
    noun: { one: "message", many: "messages" },
    note: note ?? MESSAGES_BY_WORD,
  };
}
