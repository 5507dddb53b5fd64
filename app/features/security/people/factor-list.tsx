import { ROLE_LABELS, USER_STATUS_TAGS } from "~/features/user-management/labels";
import { userPath } from "~/features/users/model";
import { MFA_PATH, withParams } from "~/lib/addresses";
import type { ListRead, LoadedList, PageSize } from "~/lists/model";
import { ListFilters, ListPage, ListTable, type ShownRows } from "~/lists/ui/list-page";
import { ExportLink } from "~/ui/export-links";
import { optionsWithNone } from "~/ui/form";
import { Link } from "~/ui/link";
import { ChoiceField, SortField } from "~/ui/list-fields";
import { Panel } from "~/ui/page";
import type { RowColumn } from "~/ui/row-table";
import { formatInstant } from "~/ui/text";
import { coverageText, FACTOR_LABELS, mfaPolicy, NO_PEOPLE, SIDE_LABELS } from "../labels";
import { type FactorCoverage, type FactorRow, MFA_PEOPLE_PATH, SESSIONS_PATH } from "../model";
import { SecurityTabs } from "../security-tabs";
import { FACTOR_STATES, type FactorFilter, factorList, SIDES } from "./definition";

/** Nobody resets their own factor here. */
function columns({ zone }: ShownRows<FactorRow>, ownId: string): RowColumn<FactorRow>[] {
  return [
    {
      label: "User",
      header: true,
      cell: ({ id, name, email, status }) => (
        <>
          <a href={userPath(id)}>{name}</a>
          <small>{[email, id === ownId ? "you" : USER_STATUS_TAGS[status]].filter(Boolean).join(" · ")}</small>
        </>
      ),
    },
    { label: "Role", width: "w-[9rem]", cell: ({ role }) => ROLE_LABELS[role] },
    {
      label: "Two-step sign-in",
      labelled: true,
      width: "w-[8rem]",
      cell: ({ factor }) => {
        if (factor === "none") return "—";
        return factor === "on" ? <b className="text-success">{FACTOR_LABELS.on}</b> : FACTOR_LABELS.off;
      },
    },
    {
      label: "Last used",
      labelled: true,
      width: "w-[12rem]",
      cell: ({ factor, lastUsedAt: at }) => {
        if (factor !== "on") return null;
        return at === null ? (
          "Never"
        ) : (
          <time dateTime={new Date(at).toISOString()}>{formatInstant(at, zone, "datetime")}</time>
        );
      },
    },
    {
      label: "Codes left",
      width: "w-[7rem]",
      labelled: true,
      cell: ({ factor, codesLeft }) => (factor === "on" ? codesLeft : null),
    },
    {
      label: "Actions",
      width: "w-[8rem]",
      controls: true,
      cell: ({ id, name, factor }) => {
        if (id === ownId) return <a href={MFA_PATH}>Your two-step sign-in</a>;
        return factor === "on" ? (
          <a
            href={withParams(userPath(id), { do: "reset_mfa", from: MFA_PEOPLE_PATH })}
            aria-label={`Reset MFA of ${name}…`}
          >
            Reset MFA…
          </a>
        ) : null;
      },
    },
  ];
}

const EVERYBODY = optionsWithNone("Staff and clients", SIDES, SIDE_LABELS);
const ANY_STATE = optionsWithNone("On or off", FACTOR_STATES, FACTOR_LABELS);

function FactorFilters({ filter, size }: { filter: FactorFilter; size: PageSize }) {
  return (
    <ListFilters
      definition={factorList}
      label="Filter people"
      search="Search name or email"
      filter={filter}
      size={size}
    >
      <ChoiceField name="side" id="filter-side" label="People" options={EVERYBODY} value={filter.side} />
      <ChoiceField
        name="factor"
        id="filter-factor"
        label="Two-step sign-in"
        options={ANY_STATE}
        value={filter.factor}
      />
      <SortField options={factorList.sortOptions(filter)} value={filter.sort} />
    </ListFilters>
  );
}

function FactorPolicy({ coverage, isOfClients }: Pick<FactorsRead, "coverage" | "isOfClients">) {
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

type FactorsRead = ListRead<FactorRow> & { coverage: FactorCoverage; isOfClients: boolean };

export function FactorListPage({ loaded }: { loaded: LoadedList<FactorFilter, FactorsRead> & { ownId: string } }) {
  const { list, filter, size, ownId } = loaded;
  return (
    <ListPage
      definition={factorList}
      loaded={loaded}
      title="Security"
      actions={<ExportLink to={factorList.exportPathTo(filter)} />}
      above={
        <>
          <SecurityTabs tab="mfa" />
          {list ? <FactorPolicy coverage={list.coverage} isOfClients={list.isOfClients} /> : null}
        </>
      }
      filters={<FactorFilters filter={filter} size={size} />}
      empty={NO_PEOPLE}
    >
      {(shown) => (
        <ListTable
          {...{ filter, size }}
          list={shown}
          definition={factorList}
          columns={(rows) => columns(rows, ownId)}
        />
      )}
    </ListPage>
  );
}
