import { daysInWords } from "~/lib/days-in-words";
import { DATES_BACKWARDS } from "~/lists/copy";
import { areDatesReversed } from "~/lists/criteria";
import { ROWS_CAPTION } from "~/lists/match-count";
import type { ListRead } from "~/lists/model";
import type { PageSize } from "~/lists/page-size";
import { ListFilters } from "~/lists/ui/list-filters";
import { ListPanel } from "~/lists/ui/list-panel";
import { ChoiceField, DatesField, SortField } from "~/ui/list-fields";
import { optionsWithNone } from "~/ui/select";
import { ACTION_LABELS, METHOD_LABELS, NO_EVENTS_FOUND, NO_EVENTS_LISTED, RESULT_LABELS } from "../../copy";
import type { MfaEvent } from "../../model";
import { EVENT_ACTIONS, EVENT_METHODS, EVENT_RESULTS, type EventFilter, eventList } from "../definition";
import { EventTable } from "./event-table";

const ANY_ACTION = optionsWithNone("Any action", EVENT_ACTIONS, ACTION_LABELS);
const ANY_METHOD = optionsWithNone("Any method", EVENT_METHODS, METHOD_LABELS);
const ANY_RESULT = optionsWithNone("Any result", EVENT_RESULTS, RESULT_LABELS);

type FiltersProps = { filter: EventFilter; size: PageSize };

/** Shows the filters of the list of events. */
export function EventFilters({ filter, size }: FiltersProps) {
  const { from, to, sort } = filter;
  const values = {
    action: filter.action ?? "",
    method: filter.method ?? "",
    result: filter.result ?? "",
    from: from ?? "",
    to: to ?? "",
    sort,
  };
  return (
    <ListFilters
      definition={eventList}
      label="Filter events"
      search="Search person or IP address"
      filter={filter}
      size={size}
      values={values}
    >
      <ChoiceField name="action" id="filter-action" label="Action" options={ANY_ACTION} value={values.action} />
      <ChoiceField name="method" id="filter-method" label="Method" options={ANY_METHOD} value={values.method} />
      <ChoiceField name="result" id="filter-result" label="Result" options={ANY_RESULT} value={values.result} />
      <DatesField
        from={values.from}
        to={values.to}
        isOn={daysInWords({ from, to }) !== null}
        error={areDatesReversed(filter) ? DATES_BACKWARDS : null}
        clearTo={eventList.pathTo({ ...filter, from: null, to: null })}
      />
      <SortField options={eventList.sortOptions(filter)} value={sort} />
    </ListFilters>
  );
}

type PanelProps = FiltersProps & { list: ListRead<MfaEvent> };

/** Shows a page of the list of events with everything around it. */
export function EventPanel({ list, filter, size }: PanelProps) {
  return (
    <ListPanel
      definition={eventList}
      list={list}
      filter={filter}
      size={size}
      filters={<EventFilters filter={filter} size={size} />}
      empty={NO_EVENTS_LISTED}
      noMatch={NO_EVENTS_FOUND}
    >
      <EventTable events={list.page.rows} zone={list.zone} labelledBy={ROWS_CAPTION} />
    </ListPanel>
  );
}
