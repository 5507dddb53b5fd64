import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { userList, userListHeading } from "~/features/user-management/definition";
import { USER_LIST_FAILED } from "~/features/user-management/labels";
import { UserListPage } from "~/features/user-management/list-page";
import { readUserList, USER_LIST_PURPOSE, userListActions } from "~/features/user-management/list-page.server";
import { loadList } from "~/features/workspace/load-list.server";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";

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
  return <UserListPage loaded={useLoaderData<typeof loader>()} />;
}
