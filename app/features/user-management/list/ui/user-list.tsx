import { NEW_USER_PATH } from "~/features/users/subject";
import { cappedText } from "~/lib/capped-count";
import { NO_MATCH, scanStopped } from "~/lists/copy";
import { showingText } from "~/lists/match-count";
import { type PageSize, sizeLinks, sizeParam } from "~/lists/page-size";
import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { ExportLink } from "~/ui/export-links";
import { ListSummary } from "~/ui/filter-chips";
import { Notice } from "~/ui/flash";
import { Form } from "~/ui/form";
import { Link } from "~/ui/link";
import { ListFoot } from "~/ui/list-foot";
import { NoRows } from "~/ui/no-rows";
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

const CAPTION = "rows-caption";
const UNFILTERED = userList.readFilter(new URLSearchParams());

/** Shows the list with everything around it: filters, rows, links to the neighbouring pages. */
export function UserListPanel(props: UserListPanelProps) {
  const { list, filter, size } = props;
  const { page, total, invited } = list;
  const labels = userList.pageLabels(filter.sort);
  const sized = { size: sizeParam(size) };
  const caption = showingText(page.rows.length, total, userList.noun);
  const chips = userList.chips(filter, sized);
  const clearTo = userList.isFiltered(filter) ? userList.pathTo(UNFILTERED, sized) : null;
  const noMatch = filter.view ? NONE_INVITED : NO_MATCH;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <UserFilters filter={filter} size={size} />
      <ListSummary
        id={CAPTION}
        caption={caption}
        isResult={page.rows.length > 0}
        chips={chips}
        clearTo={userList.pathTo({ ...UNFILTERED, view: filter.view }, sized)}
      >
        {filter.view ? (
          <Link to={userList.path}>See all users</Link>
        ) : invited.count > 0 ? (
          <Link to={userList.pathTo({ ...UNFILTERED, view: "invited" })}>
            Pending invitations ({cappedText(invited)})
          </Link>
        ) : null}
        <RoleDescriptionsPanel />
      </ListSummary>
      {page.scanned ? <Notice kind="info" message={scanStopped(page.scanned, userList.noun, labels)} /> : null}
      {page.rows.length > 0 ? (
        <Rows {...props} />
      ) : (
        <NoRows
          empty={{ title: NONE_FOUND, body: "There is nobody yet." }}
          noMatch={{ title: NONE_FOUND, body: userList.noMatchReason?.(filter) ?? noMatch }}
          chips={chips}
          clearTo={clearTo}
        />
      )}
      <ListFoot
        caption={caption}
        sizes={sizeLinks(size, (param) => userList.pathTo(filter, { size: param }))}
        previousTo={page.previous && userList.pathTo(filter, { ...sized, before: page.previous })}
        nextTo={page.next && userList.pathTo(filter, { ...sized, after: page.next })}
        labels={labels}
      />
    </div>
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
  const row = useSentRow({ path, form: ROLES_FORM });
  const showsInvitations = filter.view === "invited";
  return (
    <section aria-labelledby={CAPTION}>
      <p className="sr-only" role="status">
        {row.saved ? "Saved" : null}
      </p>
      <UserTable
        rows={list.page.rows}
        labelledBy={CAPTION}
        zone={list.zone}
        now={list.readAt}
        ownId={ownId}
        showsInvitations={showsInvitations}
        sortOf={(column) => userList.sortLink(filter, column, { size: sizeParam(size) })}
        sending={row.sending}
        saved={row.saved}
        resetKey={resetKey}
      />
      <div className="list-dock">
        <div role="alert">{rejection ? <Notice kind="error" message={rejection} /> : null}</div>
        <Form id={ROLES_FORM} name={ROLES_FORM} action={path} token={token} staysFilled onSubmit={row.remember}>
          <input type="hidden" name="intent" value="role" />
          <input type="hidden" name="return_to" value={path} />
          <input type="hidden" name="answer" value="beside" />
        </Form>
        {showsInvitations
          ? [RESEND_FORM, REVOKE_FORM].map((intent) => (
              <Form key={intent} id={intent} name={intent} action={path} token={token}>
                <input type="hidden" name="intent" value={intent} />
                <input type="hidden" name="return_to" value={path} />
              </Form>
            ))
          : null}
      </div>
    </section>
  );
}
