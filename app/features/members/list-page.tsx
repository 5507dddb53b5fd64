import { useLocation } from "@remix-run/react";
import { CHOICES_LIMIT, type OrganizationChoices } from "~/features/organizations/model";
import { type LoadedList, ROWS_CAPTION } from "~/lists/model";
import { ListFilters, ListPage, ListTable, RowsForm, SavedStatus, type ShownRows } from "~/lists/ui/list-page";
import { ExportLink } from "~/ui/export-links";
import { type SentRow, usePostedResult, useSentRow } from "~/ui/form";
import { ChoiceField, SortField } from "~/ui/list-fields";
import { Rejection } from "~/ui/page";
import type { RowColumn } from "~/ui/row-table";
import { StatCards } from "~/ui/stat-cards";
import { EmailText } from "~/ui/text";
import { MEMBERS_OF_ONE, type MemberFilter, memberList, removalPath } from "./definition";
import { MEMBER_STATUS_OPTIONS, NO_MEMBER_FOUND } from "./labels";
import type { LinkedMember, MembersRead } from "./list-page.server";
import {
  INVITATION_FORMS,
  InvitationButtons,
  joinedColumn,
  MemberChoice,
  MemberStatus,
  MembershipFields,
  personColumn,
  ROLES_FORM,
  roleColumn,
} from "./member-columns";
import { hasSettableRole, isSettable, type SettableStatus } from "./model";

type LoadedMembers = LoadedList<MemberFilter, MembersRead> & {
  organizations: OrganizationChoices;
  token: string;
  mayExport: boolean;
} & Viewer;

function MemberFilters({ filter, size, organizations }: Pick<LoadedMembers, "filter" | "size" | "organizations">) {
  const options = [
    { value: "", label: "Any organization" },
    ...organizations.choices.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const hint = organizations.isMore ? "organization-choices" : undefined;
  return (
    <ListFilters
      definition={memberList}
      label="Members"
      search="Search email, name or organization"
      filter={filter}
      size={size}
    >
      <ChoiceField
        name="organization"
        id="filter-organization"
        label="Organization"
        describedBy={hint}
        className="md:max-w-52!"
        options={options}
        value={filter.organization}
      />
      <MembershipFields filter={filter} />
      <SortField options={memberList.sortOptions(filter)} value={filter.sort} />
      {hint ? (
        <p id={hint} className="order-last m-0 basis-full text-ink-2 text-xs">
          The filter offers the first {CHOICES_LIMIT} organizations by name. Search for others.
        </p>
      ) : null}
    </ListFilters>
  );
}

const STATUSES_FORM = "statuses";

type Viewer = { mayChange: boolean; viewerId: string };

const CHOICE_WIDTH = "w-[9.25rem]";

function columns(
  { rows, zone, readAt, query }: ShownRows<LinkedMember, "joined">,
  { mayChange, viewerId, roles, statuses }: Record<"roles" | "statuses", SentRow> & Viewer,
): RowColumn<LinkedMember>[] {
  const settable = rows.filter((row) => mayChange && isSettable(row, viewerId));
  const withRole = rows.filter((row) => mayChange && hasSettableRole(row, viewerId));
  return [
    personColumn("Member", ({ name, personPath }) =>
      personPath ? (
        <a href={personPath}>{name}</a>
      ) : (
        <b>
          <EmailText email={name} />
        </b>
      ),
    ),
    {
      label: "Organization",
      width: "w-[19%]",
      cell: ({ organizationName, organizationPath }) =>
        organizationPath ? <a href={organizationPath}>{organizationName}</a> : organizationName,
    },
    { ...roleColumn(withRole, roles), width: CHOICE_WIDTH },
    {
      label: "Status",
      width: CHOICE_WIDTH,
      cell: (row) => {
        if (!settable.includes(row)) return <MemberStatus row={row} zone={zone} readAt={readAt} />;
        return (
          <MemberChoice
            form={STATUSES_FORM}
            name="status"
            label="Status"
            row={row}
            settable={settable}
            value={row.status as SettableStatus}
            options={MEMBER_STATUS_OPTIONS}
            sent={statuses}
          />
        );
      },
    },
    joinedColumn(zone),
    {
      label: "Actions",
      width: "w-[7.5rem]",
      controls: true,
      cell: (row) => {
        if (mayChange && row.status === "pending") return <InvitationButtons row={row} />;
        return settable.includes(row) ? (
          <a href={removalPath(row.id, query)} aria-label={`Remove ${row.name}…`}>
            Remove…
          </a>
        ) : null;
      },
    },
  ];
}

const UNFILTERED = memberList.readFilter(new URLSearchParams());

export function MemberListPage({ loaded }: { loaded: LoadedMembers }) {
  const { list, organizations, filter, size, mayExport } = loaded;
  const rejected = usePostedResult<{ rejection: string }>();
  const name = organizations.choices.find(({ id }) => id === filter.organization)?.name ?? MEMBERS_OF_ONE;
  // Only the page knows the name of the organization.
  const chips: typeof memberList.chips = (...shown) =>
    memberList.chips(...shown).map((chip) => (chip.label === MEMBERS_OF_ONE ? { ...chip, label: name } : chip));
  return (
    <ListPage
      definition={{ ...memberList, chips }}
      loaded={loaded}
      title="Members"
      actions={mayExport ? <ExportLink to={memberList.exportPathTo(filter)} /> : undefined}
      above={list ? <StatCards label="Members" items={cards(list.counts, filter)} /> : null}
      filters={<MemberFilters filter={filter} size={size} organizations={organizations} />}
      notice={<Rejection message={rejected?.rejection} />}
      empty={{ title: NO_MEMBER_FOUND, body: "They arrive with the organizations." }}
    >
      {(members, path) => <Rows {...loaded} members={members} path={path} />}
    </ListPage>
  );
}

function cards({ all, active, pending, administrators }: MembersRead["counts"], filter: MemberFilter) {
  const isOnlyStatus = !filter.q && !filter.organization && !filter.role;
  const to = (status: MemberFilter["status"]) => memberList.pathTo({ ...UNFILTERED, status });
  const current = (status: MemberFilter["status"]) => isOnlyStatus && filter.status === status;
  return [
    { label: "Total", value: all, to: to(null), current: current(null) },
    { label: "Active", value: active, to: to("active"), current: current("active") },
    { label: "Pending Invites", value: pending, to: to("pending"), current: current("pending") },
    { label: "Administrators", value: administrators, note: "Owners and admins" },
  ];
}

type RowsProps = Omit<LoadedMembers, "list"> & { members: MembersRead; path: string };

function Rows({ members, filter, size, token, path, viewerId, mayChange }: RowsProps) {
  const { key: resetKey } = useLocation();
  const roles = useSentRow({ path, form: ROLES_FORM });
  const statuses = useSentRow({ path, form: STATUSES_FORM });
  return (
    <section aria-labelledby={ROWS_CAPTION}>
      <SavedStatus sent={[roles, statuses]} />
      <ListTable
        {...{ filter, size, resetKey }}
        list={members}
        definition={memberList}
        columns={(shown) => columns(shown, { mayChange, viewerId, roles, statuses })}
      />
      {mayChange ? (
        <>
          <RowsForm name={ROLES_FORM} intent="role" path={path} token={token} sent={roles} />
          <RowsForm name={STATUSES_FORM} intent="status" path={path} token={token} sent={statuses} />
          {INVITATION_FORMS.map((name) => (
            <RowsForm key={name} name={name} path={path} token={token} />
          ))}
        </>
      ) : null}
    </section>
  );
}
