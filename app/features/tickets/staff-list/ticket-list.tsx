import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { CHOICES_LIMIT, type OrganizationChoices } from "~/features/organizations/model";
import { STAFF_FAILED } from "~/features/users/model";
import type { ListRejection } from "~/lib/form";
import { type CappedCount, cappedText } from "~/lib/numbers";
import { FORMER_MEMBER } from "~/lib/text";
import { areDatesReversed } from "~/lists/criteria";
import { allMatching, DATES_BACKWARDS } from "~/lists/labels";
import { type LoadedList, type PageSize, ROWS_CAPTION, sizeParam } from "~/lists/model";
import { ListFilters, ListPage, RowsForm, SavedStatus } from "~/lists/ui/list-page";
import { BulkBar, SelectionArea, selectionColumn } from "~/ui/bulk-bar";
import { Button, ButtonRow, LinkButton } from "~/ui/button";
import { ExportLink } from "~/ui/export-links";
import { optionsWithNone, Select, type SentRow, usePostedResult, useSentRow } from "~/ui/form";
import { Link } from "~/ui/link";
import { ChoiceField, DatesField, SortField } from "~/ui/list-fields";
import { ListTabs } from "~/ui/list-tabs";
import { ErrorPanel, Notice } from "~/ui/page";
import { choiceOfRows } from "~/ui/row-choice";
import { type RowColumn, RowTable } from "~/ui/row-table";
import { formatInstant } from "~/ui/text";
import { NO_TICKETS_FOUND, PRIORITY_OPTIONS, TICKET_STATUS_LABELS, TICKET_STATUS_OPTIONS, UNASSIGNED } from "../labels";
import { isActive, TICKET_STATUSES, type TicketStatus } from "../model";
import { newStaffTicketPath, staffTicketPath } from "../paths";
import { PriorityBadge } from "../ui/badges";
import {
  DUE_FILTERS,
  type ListedTicket,
  NOBODY,
  STATUS_FILTERS,
  type StaffChoice,
  type TicketFilter,
  ticketList,
} from "./definition";
import type { TicketCounts } from "./definition.server";
import {
  assignedTo,
  DUE_LABELS,
  FOUND_IN,
  NONE_ACTIVE,
  NONE_YET,
  NOTHING_LATE,
  ONE_ORGANIZATION,
  ONE_PERSON,
  STATUS_FILTER_LABELS,
} from "./labels";
import type { TicketsRead } from "./list.server";

const STATUS_FORM = "statuses";
const ASSIGNEE_FORM = "assignees";

type LoadedTickets = LoadedList<TicketFilter, TicketsRead> & {
  organizations: OrganizationChoices;
  token: string;
  mayExport: boolean;
  inviteTo: string | null;
};

export function TicketListPage({ loaded, above }: { loaded: LoadedTickets; above: ReactNode }) {
  const { list, organizations, filter, size, mayExport, inviteTo } = loaded;
  const rejected = usePostedResult<ListRejection>() ?? null;
  const staff = list?.staff ?? null;
  const assignee = staff?.find(({ id }) => id === filter.assignee);
  const names: Record<string, string | undefined> = {
    [ONE_ORGANIZATION]: organizations.choices.find(({ id }) => id === filter.organization)?.name,
    ...(assignee ? { [assignedTo(ONE_PERSON)]: assignedTo(assignee.name) } : {}),
  };
  // Only the page knows the names of who the list is limited to.
  const chips: typeof ticketList.chips = (...shown) =>
    ticketList.chips(...shown).map((chip) => ({ ...chip, label: names[chip.label] ?? chip.label }));
  return (
    <ListPage
      definition={{ ...ticketList, chips }}
      loaded={loaded}
      title="Tickets"
      actions={
        <>
          {mayExport ? <ExportLink to={ticketList.exportPathTo(filter)} /> : null}
          <LinkButton to={newStaffTicketPath(filter.organization)}>New Ticket</LinkButton>
        </>
      }
      above={above}
      filters={<TicketFilters {...{ filter, size, organizations, staff }} />}
      links={list ? <TicketCounters filter={filter} counts={list.counts} /> : null}
      empty={
        list && list.counts.all > 0
          ? { title: NONE_ACTIVE, action: <LinkButton to={ALL.to}>All tickets</LinkButton> }
          : { title: NONE_YET, action: <FirstSteps inviteTo={inviteTo} /> }
      }
      noMatch={{ title: ticketList.query(filter) === LATE.query ? NOTHING_LATE : NO_TICKETS_FOUND }}
    >
      {(tickets, path) => <SelectableRows {...loaded} list={tickets} path={path} rejected={rejected} />}
    </ListPage>
  );
}

/** Returns the link of the column that says what is due. It leads to what is due next, and back to what is new. */
function sortByDue(filter: TicketFilter, size: PageSize) {
  if (!ticketList.offersSort(filter, "due")) return undefined;
  const isByDue = filter.sort === "due";
  const to = ticketList.pathTo({ ...filter, sort: isByDue ? "newest" : "due" }, { size: sizeParam(size) });
  return { to, order: isByDue ? ("ascending" as const) : ("none" as const) };
}

function FirstSteps({ inviteTo }: Pick<LoadedTickets, "inviteTo">) {
  return (
    <ButtonRow>
      <LinkButton to={newStaffTicketPath(null)}>New Ticket</LinkButton>
      {inviteTo ? (
        <LinkButton variant="quiet" to={inviteTo}>
          Invite a client
        </LinkButton>
      ) : null}
    </ButtonRow>
  );
}

type RowsProps = LoadedTickets & { list: TicketsRead; path: string; rejected: ListRejection | null };

function SelectableRows({ list, filter, size, token, path, mayExport, rejected }: RowsProps) {
  // Changes with every navigation, and clears the selection.
  const { key: resetKey } = useLocation();
  const { page, total, readAt, staff } = list;
  const statuses = useSentRow({ path, form: STATUS_FORM });
  const assignees = useSentRow({ path, form: ASSIGNEE_FORM });
  return (
    <SelectionArea labelledBy={ROWS_CAPTION}>
      {staff === null ? <ErrorPanel message={STAFF_FAILED} retryTo={path} /> : null}
      <SavedStatus sent={[statuses, assignees]} />
      <RowTable
        labelledBy={ROWS_CAPTION}
        layout="rows-of-tickets"
        columns={columns({ list, filter, size, rejected, statuses, assignees, people: staff && peopleOf(staff) })}
        rows={page.rows}
        resetKey={resetKey}
      />
      <div className="list-dock">
        <div role="alert">{rejected ? <Notice kind="error" message={rejected.rejection} /> : null}</div>
        <RowsForm name={STATUS_FORM} intent="status" path={path} token={token} sent={statuses} />
        <RowsForm name={ASSIGNEE_FORM} intent="assign" path={path} token={token} sent={assignees} />
        <BulkBar
          key={resetKey}
          label="Selected tickets"
          action={path}
          token={token}
          query={ticketList.query(filter)}
          path={path}
          readAt={readAt}
          all={allMatching(total)}
        >
          <BulkActions staff={staff} mayExport={mayExport} />
        </BulkBar>
      </div>
    </SelectionArea>
  );
}

const UNFILTERED = ticketList.readFilter(new URLSearchParams());

const linkTo = (filter: TicketFilter) => ({ to: ticketList.pathTo(filter), query: ticketList.query(filter) });

/** Links to the tickets of a status: active ones by what is due, others by their number. */
const linkToStatus = (status: TicketStatus) =>
  linkTo({ ...UNFILTERED, status, sort: isActive(status) ? "due" : "newest" });

const ALL = linkTo({ ...UNFILTERED, sort: "newest" });
const LATE = linkTo({ ...UNFILTERED, due: "late" });

const FIGURES = [
  { label: "Total", counted: "all" as const, ...ALL },
  ...TICKET_STATUSES.map((status) => ({
    label: TICKET_STATUS_LABELS[status],
    counted: status,
    ...linkToStatus(status),
  })),
];

function TicketCounters({ filter, counts }: { filter: TicketFilter; counts: TicketCounts }) {
  const current = ticketList.query(filter);
  return (
    <nav className="md:ml-auto" aria-label="Tickets by status">
      <ul className="flex flex-wrap gap-x-4">
        {FIGURES.map(({ counted, label, to, query }) => (
          <li key={label}>
            <Link
              className="inline-block py-1 current:font-semibold current:text-ink text-ink-2 tabular-nums"
              to={to}
              aria-current={query === current ? "page" : undefined}
            >
              {`${counts[counted].toLocaleString("en-US")} ${label}`}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type TicketViewsProps = {
  filter: TicketFilter;
  list: Pick<TicketsRead, "counts" | "views"> | null;
  children: ReactNode;
};

export function TicketViews({ filter, list, children }: TicketViewsProps) {
  const current = ticketList.query(filter);
  const { counts, views } = list ?? {};
  const items = [
    { label: "Active", count: counts?.active, ...linkTo(UNFILTERED) },
    { label: "Late", count: countOf(views?.late), isUrgent: (views?.late.count ?? 0) > 0, ...LATE },
    { label: "Unassigned", count: countOf(views?.unassigned), ...linkTo({ ...UNFILTERED, assignee: "none" }) },
    { label: "Mine", count: countOf(views?.mine), ...linkTo({ ...UNFILTERED, assignee: "me" }) },
    { label: "Waiting on client", count: counts?.waiting_for_customer, ...linkToStatus("waiting_for_customer") },
    { label: "Resolved", count: counts?.resolved, ...linkToStatus("resolved") },
    { label: "All", count: counts?.all, isFirst: true, ...ALL },
  ];
  return (
    <ListTabs
      label="Views of tickets"
      items={items.map(({ query, ...view }) => ({ ...view, current: query === current }))}
    >
      {children}
    </ListTabs>
  );
}

const countOf = (count: CappedCount | undefined) => count && (count.isMore ? cappedText(count) : count.count);

type TicketFiltersProps = Pick<LoadedTickets, "filter" | "size" | "organizations"> & Pick<TicketsRead, "staff">;

/** Without a status the order of what is due has the active tickets only. */
const ANY_STATUS = optionsWithNone("Any status", STATUS_FILTERS, STATUS_FILTER_LABELS);
const ANY_ACTIVE = optionsWithNone("Any active", STATUS_FILTERS, STATUS_FILTER_LABELS);
const ANY_PRIORITY = [{ value: "", label: "Any priority" }, ...PRIORITY_OPTIONS];
const ANY_TIME = optionsWithNone("Any", DUE_FILTERS, DUE_LABELS);

function TicketFilters({ filter, size, organizations, staff }: TicketFiltersProps) {
  const anyOrganization = [
    { value: "", label: "All organizations" },
    ...organizations.choices.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const hint = organizations.isMore ? "organization-choices" : undefined;
  const anyone = anyAssignee(staff, filter.assignee);
  const orders = ticketList.sortOptions(filter);
  return (
    <ListFilters
      definition={ticketList}
      label="Filter tickets"
      search="Search text, number or organization"
      filter={filter}
      size={size}
    >
      <ChoiceField
        name="organization"
        id="filter-organization"
        label="Organization"
        describedBy={hint}
        options={anyOrganization}
        value={filter.organization}
      />
      <ChoiceField
        name="status"
        id="filter-status"
        label="Status"
        options={filter.sort === "due" ? ANY_ACTIVE : ANY_STATUS}
        value={filter.status}
      />
      <ChoiceField name="priority" label="Priority" options={ANY_PRIORITY} value={filter.priority} />
      <ChoiceField name="assignee" id="filter-assignee" label="Assigned" options={anyone} value={filter.assignee} />
      <ChoiceField name="due" label="Reply due" options={ANY_TIME} value={filter.due} />
      {hint ? (
        <p id={hint} className="order-last m-0 basis-full text-ink-2 text-xs">
          The filter offers the first {CHOICES_LIMIT} organizations by name. Search for others.
        </p>
      ) : null}
      <DatesField
        key={`${filter.from} ${filter.to}`}
        from={filter.from}
        to={filter.to}
        isOn={filter.from !== null || filter.to !== null}
        error={areDatesReversed(filter) ? DATES_BACKWARDS : null}
        clearTo={ticketList.pathTo({ ...filter, from: null, to: null }, { size: sizeParam(size) })}
      />
      {orders.length > 1 ? <SortField options={orders} value={filter.sort} /> : null}
    </ListFilters>
  );
}

function anyAssignee(staff: readonly StaffChoice[] | null, chosen: string | null) {
  const options = [{ value: "", label: "Anyone" }, { value: "me", label: "Me" }, ...peopleOf(staff ?? [])];
  const isListed = chosen === null || options.some(({ value }) => value === chosen);
  return isListed ? options : [...options, { value: chosen, label: ONE_PERSON }];
}

/** Lists the statuses but resolved: each ticket is resolved with a note of its own. None is chosen at first. */
const STATUSES = [
  { value: "", label: "Set status to…" },
  ...TICKET_STATUS_OPTIONS.filter(({ value }) => value !== "resolved"),
];

function BulkActions({ staff, mayExport }: { staff: readonly StaffChoice[] | null; mayExport: boolean }) {
  const people = [{ value: "", label: "Assign to…" }, ...peopleOf(staff ?? [])];
  return (
    <>
      <Button
        type="submit"
        className="max-md:hidden"
        variant="quiet"
        size="sm"
        name="intent"
        value="bulk-take"
        aria-keyshortcuts="a"
      >
        Assign to me
      </Button>
      <Select
        variant="bar"
        name="assignee_id"
        aria-label="Assign to"
        options={people}
        defaultValue=""
        disabled={staff === null}
      />
      {staff ? (
        <Button type="submit" variant="quiet" size="sm" name="intent" value="bulk-assign">
          Assign
        </Button>
      ) : null}
      <Select variant="bar" name="status" aria-label="Set status" options={STATUSES} defaultValue="" />
      <Button type="submit" variant="quiet" size="sm" name="intent" value="bulk-status">
        Update
      </Button>
      {mayExport ? (
        <Button type="submit" variant="quiet" size="sm" name="intent" value="export">
          Export selected
        </Button>
      ) : null}
    </>
  );
}

type Options = readonly { value: string; label: string }[];

const columns = ({
  list,
  filter,
  size,
  rejected,
  statuses,
  assignees,
  people,
}: Pick<RowsProps, "list" | "filter" | "size" | "rejected"> &
  Record<"statuses" | "assignees", SentRow> & { people: Options | null }): RowColumn<ListedTicket>[] => [
  selectionColumn(({ number }) => number, rejected?.rows ?? []),
  {
    label: "Due",
    width: "w-[9rem]",
    sort: sortByDue(filter, size),
    cell: ({ due }) =>
      due ? (
        <>
          <span data-late={due.isLate ? "" : undefined}>{due.words}</span>
          {due.sla ? <small>{due.sla}</small> : null}
        </>
      ) : (
        "—"
      ),
  },
  {
    label: "Ticket",
    header: true,
    cell: ({
      number,
      oldNumber,
      title,
      snippet,
      isPrivate,
      matched,
      creator,
      organization,
      organizationPath,
      ...row
    }) => (
      <>
        <a href={listedPath(number, filter)}>{title}</a>
        <small>
          <span data-number="">{oldNumber === null ? number : `${number} (${oldNumber})`}</span>
          {creator}, {organizationPath ? <a href={organizationPath}>{organization}</a> : organization}
          {row.category ? `, ${row.category}` : null},{" "}
          <time dateTime={new Date(row.createdAt).toISOString()}>
            {formatInstant(row.createdAt, list.zone, "short")}
          </time>
          {isPrivate ? ". Private" : null}
          {matched ? `. ${FOUND_IN[matched]}` : null}
        </small>
        {snippet ? <small data-excerpt="">{snippet}</small> : null}
      </>
    ),
  },
  { label: "Priority", width: "w-[6.5rem]", cell: ({ priority }) => <PriorityBadge priority={priority} /> },
  {
    label: "Status",
    width: "w-[9.25rem]",
    cell: choiceOfRows(list.page.rows, statuses, {
      form: STATUS_FORM,
      name: "status",
      label: "Status",
      of: ({ number }) => number,
      value: ({ status }) => status,
      options: () => TICKET_STATUS_OPTIONS,
    }),
  },
  {
    label: "Assigned to",
    width: "w-[10.5rem]",
    cell: choiceOfRows(list.page.rows, assignees, {
      form: ASSIGNEE_FORM,
      name: "assignee_id",
      label: "Assignee",
      isPlain: true,
      isDisabled: people === null,
      of: ({ number }) => number,
      value: ({ assigneeId }) => assigneeId ?? NOBODY,
      options: (row) => assigneeOptions(people, row),
    }),
  },
];

const peopleOf = (staff: readonly StaffChoice[]): Options => [
  { value: NOBODY, label: UNASSIGNED },
  ...staff.map(({ id, name }) => ({ value: id, label: name })),
];

function assigneeOptions(people: Options | null, { assigneeId, formerAssignee }: ListedTicket): Options {
  const choices = people ?? peopleOf([]);
  if (assigneeId === null || choices.some(({ value }) => value === assigneeId)) return choices;
  return [...choices, { value: assigneeId, label: formerAssignee ?? FORMER_MEMBER }];
}

/** The page of a ticket keeps the filter of the list. */
function listedPath(number: string, filter: TicketFilter): string {
  const query = ticketList.query(filter);
  return query ? `${staffTicketPath(number)}?${query}` : staffTicketPath(number);
}
