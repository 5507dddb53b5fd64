import { MFA_PATH } from "~/lib/addresses";
import type { ListRead } from "~/lists/model";
import type { PageSize } from "~/lists/page-size";
import { ListFilters } from "~/lists/ui/list-filters";
import { ListPanel } from "~/lists/ui/list-panel";
import { Link } from "~/ui/link";
import { ChoiceField, SortField } from "~/ui/list-fields";
import { Panel } from "~/ui/panel";
import { optionsWithNone } from "~/ui/select";
import { coverageText, FACTOR_LABELS, mfaPolicy, NO_PEOPLE, SIDE_LABELS } from "../../copy";
import { type Coverage, type FactorRow, SESSIONS_PATH } from "../../model";
import { FACTOR_STATES, type FactorFilter, factorList, SIDES } from "../definition";
import { FactorTable } from "./factor-table";

const EVERYBODY = optionsWithNone("Staff and clients", SIDES, SIDE_LABELS);
const ANY_STATE = optionsWithNone("On or off", FACTOR_STATES, FACTOR_LABELS);

type FiltersProps = { filter: FactorFilter; size: PageSize };

/** Shows the filters of the list of people with their second factors. */
export function FactorFilters({ filter, size }: FiltersProps) {
  const values = { side: filter.side ?? "", factor: filter.factor ?? "", sort: filter.sort };
  return (
    <ListFilters
      definition={factorList}
      label="Filter people"
      search="Search name or email"
      filter={filter}
      size={size}
      values={values}
    >
      <ChoiceField name="side" id="filter-side" label="People" options={EVERYBODY} value={values.side} />
      <ChoiceField
        name="factor"
        id="filter-factor"
        label="Two-step sign-in"
        options={ANY_STATE}
        value={values.factor}
      />
      <SortField options={factorList.sortOptions(filter)} value={values.sort} />
    </ListFilters>
  );
}

type FactorPolicyProps = {
  coverage: Coverage;
  /** Tells whether the settings ask every client for a second factor. */
  isOfClients: boolean;
};

/** Says who must have a second factor and how many have one, and leads to one's own and to the sessions. */
export function FactorPolicy({ coverage, isOfClients }: FactorPolicyProps) {
  return (
    <Panel id="mfa-policy" title="Who uses two-step sign-in">
      <p className="mb-2 font-semibold">{coverageText(coverage)}</p>
      <dl className="mb-2 grid gap-1">
        {mfaPolicy(isOfClients).map(({ who, rule }) => (
          <div key={who} className="flex flex-wrap gap-x-2">
            <dt className="font-semibold">{who}:</dt>
            <dd>{rule}</dd>
          </div>
        ))}
      </dl>
      <p className="flex flex-wrap gap-x-6 gap-y-1">
        <Link to={MFA_PATH}>Your own two-step sign-in</Link>
        <Link to={SESSIONS_PATH}>Active sessions</Link>
      </p>
    </Panel>
  );
}

type PanelProps = FiltersProps & { list: ListRead<FactorRow>; ownId: string };

/** Shows a page of the list of people with everything around it. */
export function FactorPanel({ list, filter, size, ownId }: PanelProps) {
  return (
    <ListPanel
      definition={factorList}
      list={list}
      filter={filter}
      size={size}
      filters={<FactorFilters filter={filter} size={size} />}
      empty={NO_PEOPLE}
    >
      <FactorTable list={list} filter={filter} size={size} ownId={ownId} />
    </ListPanel>
  );
}
