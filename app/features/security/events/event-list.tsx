import { userPath } from "~/features/users/model";
import { daysInWords } from "~/lib/time-labels";
import { areDatesReversed } from "~/lists/criteria";
import { DATES_BACKWARDS } from "~/lists/labels";
import { type ListRead, type LoadedList, type PageSize, ROWS_CAPTION } from "~/lists/model";
import { ListFilters, ListPage } from "~/lists/ui/list-page";
import { cx } from "~/ui/cx";
import { ExportLink } from "~/ui/export-links";
import { optionsWithNone } from "~/ui/form";
import { Check, Icon, X } from "~/ui/icon";
import { ChoiceField, DatesField, SortField } from "~/ui/list-fields";
import { type RowColumn, RowTable } from "~/ui/row-table";
import { formatInstant } from "~/ui/text";
import {
  ACTION_LABELS,
  FAILURE_LABELS,
  labelOf,
  METHOD_LABELS,
  NO_EVENTS_FOUND,
  NO_EVENTS_LISTED,
  RESULT_LABELS,
} from "../labels";
import type { MfaEvent } from "../model";
import { EVENT_ACTIONS, EVENT_METHODS, EVENT_RESULTS, type EventFilter, eventList } from "./definition";

const COLUMNS = (zone: string): RowColumn<MfaEvent>[] => [
  {
    label: "User",
    header: true,
    cell: ({ userId, name, email }) => (
      <>
        {name === null ? <b>Account that is gone</b> : <a href={userPath(userId)}>{name}</a>}
        <small>
          {/* The end of a long line is cut: the id stands first. */}
          {shortId(userId)}
          {email === null ? null : ` · ${email}`}
        </small>
      </>
    ),
  },
  { label: "Result", width: "w-[6rem]", cell: ({ succeeded }) => <Result succeeded={succeeded} /> },
  {
    label: "Action",
    width: "w-[9.5rem]",
    cell: ({ action, method }) => (
      <>
        {labelOf(ACTION_LABELS, action)}
        <small>{labelOf(METHOD_LABELS, method)}</small>
      </>
    ),
  },
  {
    label: "Failure reason",
    width: "w-[9.5rem]",
    cell: ({ failure }) => (failure === null ? null : labelOf(FAILURE_LABELS, failure)),
  },
  {
    label: "Time",
    width: "w-[10.5rem]",
    cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{formatInstant(at, zone, "datetime")}</time>,
  },
  { label: "IP address", width: "w-[9.5rem]", cell: ({ ip }) => <span className="font-mono text-xs">{ip}</span> },
];

/** Eight characters after the prefix. */
const shortId = (userId: string) => userId.replace(/^usr_/, "").slice(0, 8);

function Result({ succeeded }: { succeeded: boolean }) {
  return (
    <span className={cx("inline-flex items-center gap-1 font-semibold", succeeded ? "text-success" : "text-danger")}>
      <Icon of={succeeded ? Check : X} />
      {RESULT_LABELS[succeeded ? "success" : "failed"]}
    </span>
  );
}

type EventTableProps = {
  events: readonly MfaEvent[];
  zone: string;
  labelledBy: string;
};

export function EventTable({ events, zone, labelledBy }: EventTableProps) {
  return <RowTable labelledBy={labelledBy} columns={COLUMNS(zone)} rows={events} />;
}

const ANY_ACTION = optionsWithNone("Any action", EVENT_ACTIONS, ACTION_LABELS);
const ANY_METHOD = optionsWithNone("Any method", EVENT_METHODS, METHOD_LABELS);
const ANY_RESULT = optionsWithNone("Any result", EVENT_RESULTS, RESULT_LABELS);

function EventFilters({ filter, size }: { filter: EventFilter; size: PageSize }) {
  return (
    <ListFilters
      definition={eventList}
      label="Filter events"
      search="Search person or IP address"
      filter={filter}
      size={size}
    >
      <ChoiceField name="action" id="filter-action" label="Action" options={ANY_ACTION} value={filter.action} />
      <ChoiceField name="method" id="filter-method" label="Method" options={ANY_METHOD} value={filter.method} />
      <ChoiceField name="result" id="filter-result" label="Result" options={ANY_RESULT} value={filter.result} />
      <DatesField
        from={filter.from}
        to={filter.to}
        isOn={daysInWords(filter) !== null}
        error={areDatesReversed(filter) ? DATES_BACKWARDS : null}
        clearTo={eventList.pathTo({ ...filter, from: null, to: null })}
      />
      <SortField options={eventList.sortOptions(filter)} value={filter.sort} />
    </ListFilters>
  );
}

export function EventListPage({ loaded }: { loaded: LoadedList<EventFilter, ListRead<MfaEvent>> }) {
  const { filter, size } = loaded;
  return (
    <ListPage
      definition={eventList}
      loaded={loaded}
      title="Two-step sign-in events"
      actions={<ExportLink to={eventList.exportPathTo(filter)} />}
      filters={<EventFilters filter={filter} size={size} />}
      empty={NO_EVENTS_LISTED}
      noMatch={NO_EVENTS_FOUND}
    >
      {({ page, zone }) => <EventTable events={page.rows} zone={zone} labelledBy={ROWS_CAPTION} />}
    </ListPage>
  );
}
