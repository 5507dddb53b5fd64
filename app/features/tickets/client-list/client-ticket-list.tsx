import { type LoadedList, type PageSize, ROWS_CAPTION, sizeParam } from "~/lists/model";
import { ListFilters, ListPage, RowsForm } from "~/lists/ui/list-page";
import { LinkButton } from "~/ui/button";
import { ExportLink } from "~/ui/export-links";
import { formKey, useFormResult } from "~/ui/form";
import { ChoiceField } from "~/ui/list-fields";
import { Rejection } from "~/ui/page";
import { LinkTabs } from "~/ui/tabs";
import {
  NO_TICKETS_FOUND,
  NONE_YET_FOR_CLIENT,
  PRIORITY_OPTIONS,
  TICKET_STATUS_LABELS,
  TICKET_STATUS_OPTIONS,
} from "../labels";
import { TICKET_STATUSES } from "../model";
import { NEW_TICKET_PATH } from "../paths";
import { type ClientTicketFilter, clientTicketList } from "./definition";
import type { ClientTicketsRead, TransitionResult } from "./list.server";
import { TicketCards } from "./ticket-cards";

const TRANSITION_FORM = "move";

type FilterProps = { filter: ClientTicketFilter; size: PageSize };

function ClientTicketFilters({ filter, size }: FilterProps) {
  return (
    <ListFilters
      definition={clientTicketList}
      label="Tickets"
      search="Search title, number or description"
      filter={filter}
      size={size}
    >
      <ChoiceField
        name="tab"
        id="filter-status"
        label="Status"
        options={[{ value: "", label: "Any status" }, ...TICKET_STATUS_OPTIONS]}
        value={filter.status}
      />
      <ChoiceField
        name="priority"
        id="filter-priority"
        label="Priority"
        options={[{ value: "", label: "Any priority" }, ...PRIORITY_OPTIONS]}
        value={filter.priority}
      />
    </ListFilters>
  );
}

type LoadedTickets = LoadedList<ClientTicketFilter, ClientTicketsRead> & { token: string; organizationId: string };

export function ClientTicketListPage({ loaded }: { loaded: LoadedTickets }) {
  const { list, filter, size } = loaded;
  return (
    <ListPage
      definition={clientTicketList}
      loaded={loaded}
      title="Tickets"
      actions={
        <>
          <ExportLink to={clientTicketList.exportPathTo(filter)} />
          <LinkButton to={NEW_TICKET_PATH}>New Ticket</LinkButton>
        </>
      }
      above={list ? <StatusTabs filter={filter} size={size} counts={list.counts} /> : null}
      filters={<ClientTicketFilters filter={filter} size={size} />}
      empty={{ title: NO_TICKETS_FOUND, body: NONE_YET_FOR_CLIENT }}
    >
      {(tickets, path) => <Cards {...loaded} tickets={tickets} path={path} />}
    </ListPage>
  );
}

type CardsProps = Pick<LoadedTickets, "token" | "organizationId"> & { tickets: ClientTicketsRead; path: string };

function Cards({ tickets, path, token, organizationId }: CardsProps) {
  const result = useFormResult<TransitionResult>(formKey(path, TRANSITION_FORM));
  return (
    <>
      <Rejection message={result?.rejection} />
      <TicketCards tickets={tickets.page.rows} labelledBy={ROWS_CAPTION} zone={tickets.zone} form={TRANSITION_FORM} />
      <RowsForm name={TRANSITION_FORM} path={path} token={token}>
        <input type="hidden" name="organization_id" value={organizationId} />
      </RowsForm>
    </>
  );
}

function StatusTabs({ filter, size, counts }: FilterProps & Pick<ClientTicketsRead, "counts">) {
  const tab = (status: ClientTicketFilter["status"]) => ({
    to: clientTicketList.pathTo({ ...filter, status }, { size: sizeParam(size) }),
    label: status ? TICKET_STATUS_LABELS[status] : "All",
    count: counts?.[status ?? "all"],
    current: filter.status === status,
  });
  return <LinkTabs label="Status" items={[null, ...TICKET_STATUSES].map(tab)} scroll />;
}
