import type { OrganizationChoices } from "~/features/organizations/model";
import type { ListRejection } from "~/lib/form";
import { allMatching } from "~/lists/copy";
import { ROWS_CAPTION } from "~/lists/match-count";
import { type PageSize, sizeParam } from "~/lists/page-size";
import { ListPanel } from "~/lists/ui/list-panel";
import { RowsForm, SavedStatus } from "~/lists/ui/rows-form";
import { BulkBar, SelectionArea } from "~/ui/bulk-bar";
import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Notice } from "~/ui/flash";
import { useSentRow } from "~/ui/use-sent-row";
import { newStaffTicketPath } from "../../subject";
import { assignedTo, NONE_FOUND, NONE_YET, ONE_ORGANIZATION, ONE_PERSON } from "../copy";
import { type TicketFilter, ticketList } from "../definition";
import type { TicketsRead } from "../read-tickets.server";
import { BulkActions } from "./bulk-actions";
import { TicketFilters } from "./ticket-filters";
import { ASSIGNEE_FORM, STATUS_FORM, TicketTable } from "./ticket-table";
import { TicketCounters } from "./ticket-views";

type TicketListPanelProps = {
  list: TicketsRead;
  organizations: OrganizationChoices;
  filter: TicketFilter;
  size: PageSize;
  token: string;
  path: string;
  mayExport: boolean;
  /** Holds the address on which a client is added; null for those who may not. */
  inviteTo: string | null;
  /** Tells why a form of the list was rejected; null if none was. */
  rejected: ListRejection | null;
  /** Changes with every navigation, and clears the selection. */
  resetKey: string;
};

/** Shows the list with everything around it: filters, rows, bulk actions, links to the neighbouring pages. */
export function TicketListPanel(props: TicketListPanelProps) {
  const { list, organizations, filter, size, inviteTo } = props;
  const assignee = list.staff.find(({ id }) => id === filter.assignee);
  const names: Record<string, string | undefined> = {
    [ONE_ORGANIZATION]: organizations.choices.find(({ id }) => id === filter.organization)?.name,
    ...(assignee ? { [assignedTo(ONE_PERSON)]: assignedTo(assignee.name) } : {}),
  };
  // Only the page knows the names of who the list is limited to.
  const chips: typeof ticketList.chips = (...shown) =>
    ticketList.chips(...shown).map((chip) => ({ ...chip, label: names[chip.label] ?? chip.label }));
  return (
    <ListPanel
      definition={{ ...ticketList, chips }}
      list={list}
      filter={filter}
      size={size}
      filters={<TicketFilters filter={filter} size={size} organizations={organizations} staff={list.staff} />}
      links={<TicketCounters filter={filter} counts={list.counts} />}
      empty={{ title: NONE_YET, action: <FirstSteps inviteTo={inviteTo} /> }}
      noMatch={{ title: NONE_FOUND }}
    >
      <SelectableRows {...props} />
    </ListPanel>
  );
}

/** Returns the link of the column that says what is due. It leads to what is due next, and back to what is new. */
function sortByDue(filter: TicketFilter, size: PageSize) {
  if (!ticketList.offersSort(filter, "due")) return undefined;
  const isByDue = filter.sort === "due";
  const to = ticketList.pathTo({ ...filter, sort: isByDue ? "newest" : "due" }, { size: sizeParam(size) });
  return { to, order: isByDue ? ("ascending" as const) : ("none" as const) };
}

/** Shows what to do while there are no tickets. */
function FirstSteps({ inviteTo }: Pick<TicketListPanelProps, "inviteTo">) {
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

/** Shows the rows, the forms of their choices, and the bulk bar under them. */
function SelectableRows({ list, filter, size, token, path, mayExport, rejected, resetKey }: TicketListPanelProps) {
  const { page, total, zone, readAt, staff } = list;
  const statuses = useSentRow({ path, form: STATUS_FORM });
  const assignees = useSentRow({ path, form: ASSIGNEE_FORM });
  return (
    <SelectionArea labelledBy={ROWS_CAPTION}>
      <SavedStatus sent={[statuses, assignees]} />
      <TicketTable
        rows={page.rows}
        labelledBy={ROWS_CAPTION}
        zone={zone}
        staff={staff}
        sortByDue={sortByDue(filter, size)}
        selected={rejected?.rows ?? []}
        statuses={statuses}
        assignees={assignees}
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
