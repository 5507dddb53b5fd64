import {
  type ActionFunctionArgs,
  type HeadersArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { rootBrand } from "~/features/settings/root-brand";
import { LIST_FAILED } from "~/features/user-management/copy";
import { LIST_PURPOSE, type ListRejection, listActions } from "~/features/user-management/list/actions.server";
import { listHeading, userList } from "~/features/user-management/list/definition";
import { readUserList } from "~/features/user-management/list/read-list.server";
import { UserFilters, UserStatCards } from "~/features/user-management/list/ui/user-filters";
import { UserListActions, UserListPanel } from "~/features/user-management/list/ui/user-list";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { TOO_MANY_SEARCHES } from "~/lists/copy";
import { fileContent } from "~/lists/match-count";
import { pageRequest } from "~/lists/paging.server";
import { shorterPath } from "~/lists/shorter-path.server";
import { keepingLoader } from "~/live/page-refresh";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { retryHeaders } from "~/platform/respond.server";
import { redirectWithin, retryInit } from "~/platform/route-responses.server";
import { countSearch } from "~/platform/search-limit.server";
import { ErrorPanel } from "~/ui/error-panel";
import { ReadyFile } from "~/ui/export-links";
import { usePostedResult } from "~/ui/form-answer";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { clientAction, shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => [
  { title: `${data ? listHeading(data.filter) : "Users"} | ${rootBrand(matches).name} Admin` },
];

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "user.view");
  const { searchParams } = context.request.url;
  const shorter = shorterPath(userList, searchParams);
  if (shorter !== null) throw redirectWithin(shorter, { status: 302 });
  const filter = userList.readFilter(searchParams);
  const page = pageRequest(searchParams);
  // The search is counted beside the read, so that it costs no second wait. Over the limit what was read is not shown.
  const [list, retryAt] = await Promise.all([
    readOrNull(context, "user_list_failed", readUserList(context, actor, { filter, page })),
    countSearch(context, actor.userId, filter.q),
  ]);
  const data = {
    filter,
    list: retryAt === null ? list : null,
    isLimited: retryAt !== null,
    size: page.size,
    /** The file somebody had asked for before they had to prove who they are. */
    file: searchParams.get("export") === "ready" ? userList.exportPath(searchParams) : null,
    token: issueFormToken(context, LIST_PURPOSE),
    ownId: actor.userId,
  };
  return json(data, retryInit(retryAt, context.now()));
}

export function headers(args: HeadersArgs) {
  return retryHeaders(args);
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "user.view");
  return runFormAction(context, listActions, { actor, request, params: null });
}

export default function UsersPage() {
  const { filter, list, isLimited, size, file, token, ownId } = useLoaderData<typeof loader>();
  const { pathname, search, key } = useLocation();
  const rejection = usePostedResult<ListRejection>()?.rejection ?? null;
  const path = file ? userList.pathTo(filter) : pathname + search;
  const exportTo = userList.exportPath(new URLSearchParams(userList.query(filter)));
  return (
    <Page title={listHeading(filter)} actions={<UserListActions exportTo={exportTo} />} isDense>
      {file ? <ReadyFile to={file} content={fileContent(file, list?.total, userList.noun)} /> : null}
      <UserStatCards counts={list?.counts ?? null} filter={filter} />
      {list ? (
        <UserListPanel
          list={list}
          filter={filter}
          size={size}
          token={token}
          ownId={ownId}
          path={path}
          rejection={rejection}
          resetKey={key}
        />
      ) : (
        <>
          {isLimited ? <UserFilters filter={filter} size={size} /> : null}
          <ErrorPanel message={isLimited ? TOO_MANY_SEARCHES : LIST_FAILED} retryTo={path} />
        </>
      )}
    </Page>
  );
}
