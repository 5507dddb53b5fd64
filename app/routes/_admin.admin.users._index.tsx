import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { userList, userListHeading } from "~/features/user-management/definition";
import { USER_LIST_FAILED } from "~/features/user-management/labels";
import { UserFilters, UserListActions, UserListPanel, UserStatCards } from "~/features/user-management/list-page";
import {
  type RowRejection,
  readUserList,
  USER_LIST_PURPOSE,
  userListActions,
} from "~/features/user-management/list-page.server";
import { loadList } from "~/features/workspace/load-list.server";
import { ListPage, useListPath } from "~/lists/ui/list-page";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { usePostedResult } from "~/ui/form";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) =>
  adminTitle(page, page.data ? userListHeading(page.data.filter) : "Users");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "user.view");
  return loadList(context, actor, userList, {
    failed: USER_LIST_FAILED,
    read: (request) => readUserList(context, request),
    more: () => ({ token: issueFormToken(context, USER_LIST_PURPOSE), ownId: actor.userId }),
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "user.view");
  return runFormAction(context, userListActions, { actor, request, params: null });
}

export default function UsersPage() {
  const loaded = useLoaderData<typeof loader>();
  const { list, filter, size } = loaded;
  const { key } = useLocation();
  const path = useListPath(userList, loaded);
  const rejection = usePostedResult<RowRejection>()?.rejection ?? null;
  const exportTo = userList.exportPath(new URLSearchParams(userList.query(filter)));
  return (
    <ListPage
      loaded={loaded}
      path={path}
      title={userListHeading(filter)}
      actions={<UserListActions exportTo={exportTo} />}
      above={<UserStatCards counts={list?.counts ?? null} filter={filter} />}
      filters={<UserFilters filter={filter} size={size} />}
    >
      {list ? <UserListPanel {...loaded} list={list} path={path} rejection={rejection} resetKey={key} /> : null}
    </ListPage>
  );
}
