import { NEW_USER_PATH } from "~/features/users/subject";
import { cappedText } from "~/lib/capped-count";
import { ROWS_CAPTION } from "~/lists/match-count";
import type { PageSize } from "~/lists/page-size";
import { ListPanel } from "~/lists/ui/list-panel";
import { RowsForm, SavedStatus } from "~/lists/ui/rows-form";
import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { ExportLink } from "~/ui/export-links";
import { Notice } from "~/ui/flash";
import { Link } from "~/ui/link";
import { useSentRow } from "~/ui/use-sent-row";
import { NONE_FOUND, NONE_INVITED } from "../../copy";
import { RoleDescriptionsPanel } from "../../ui/role-descriptions";
import { type UserFilter, userList } from "../definition";
import type { UserListRead } from "../read-list.server";
import { UserFilters } from "./user-filters";
import { RESEND_FORM, REVOKE_FORM, ROLES_FORM, UserTable } from "./user-table";

type UserListPanelProps = {
  list: UserListRead;
  filter: UserFilter;
  size: PageSize;
  token: string;
  ownId: string;
  path: string;
  /** Tells why a form of the list was rejected; `null` if none was. */
  rejection: string | null;
  /** Changes with every navigation. */
  resetKey: string;
};

const UNFILTERED = userList.readFilter(new URLSearchParams());

/** Shows the list with everything around it: filters, rows, links to the neighbouring pages. */
export function UserListPanel(props: UserListPanelProps) {
  const { list, filter, size } = props;
  const { view } = filter;
  const { invited } = list;
  const links = (
    <>
      {view ? (
        <Link to={userList.path}>See all users</Link>
      ) : invited.count > 0 ? (
        <Link to={userList.pathTo({ ...UNFILTERED, view: "invited" })}>
          Pending invitations ({cappedText(invited)})
        </Link>
      ) : null}
      <RoleDescriptionsPanel />
    </>
  );
  return (
    <ListPanel
      definition={userList}
      list={list}
      filter={filter}
      size={size}
      filters={<UserFilters filter={filter} size={size} />}
      kept={{ view }}
      links={links}
      empty={{ title: NONE_FOUND, body: "No people yet." }}
      noMatch={view ? { body: NONE_INVITED } : undefined}
    >
      <Rows {...props} />
    </ListPanel>
  );
}

/** Shows the links for the list as a whole. */
export function UserListActions({ exportTo }: { exportTo: string }) {
  return (
    <ButtonRow dense>
      <ExportLink to={exportTo} />
      <LinkButton to={NEW_USER_PATH}>Add New User</LinkButton>
    </ButtonRow>
  );
}

/** Shows the rows, and the forms that their controls belong to. */
function Rows({ list, filter, size, token, ownId, path, rejection, resetKey }: UserListPanelProps) {
  const roles = useSentRow({ path, form: ROLES_FORM });
  const showsInvitations = filter.view === "invited";
  return (
    <section aria-labelledby={ROWS_CAPTION}>
      <SavedStatus sent={[roles]} />
      <UserTable
        list={list}
        filter={filter}
        size={size}
        ownId={ownId}
        showsInvitations={showsInvitations}
        roles={roles}
        resetKey={resetKey}
      />
      <div className="list-dock">
        <div role="alert">{rejection ? <Notice kind="error" message={rejection} /> : null}</div>
        <RowsForm name={ROLES_FORM} intent="role" path={path} token={token} sent={roles} />
        {showsInvitations
          ? [RESEND_FORM, REVOKE_FORM].map((name) => <RowsForm key={name} name={name} path={path} token={token} />)
          : null}
      </div>
    </section>
  );
}
