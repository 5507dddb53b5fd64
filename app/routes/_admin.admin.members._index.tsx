import {
  type ActionFunctionArgs,
  type HeadersArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { MEMBERS_FAILED } from "~/features/members/copy";
import { MEMBERS_PURPOSE, memberActions } from "~/features/members/list/actions.server";
import { memberList } from "~/features/members/list/definition";
import { readMembers } from "~/features/members/list/read-members.server";
import { MemberFilters } from "~/features/members/list/ui/member-filters";
import { MemberListPanel } from "~/features/members/list/ui/member-list";
import { readInSiteZone } from "~/features/settings/queries.server";
import { rootBrand } from "~/features/settings/root-brand";
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
import { ExportLink, ReadyFile } from "~/ui/export-links";
import { usePostedResult } from "~/ui/form-answer";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { clientAction, shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction = ({ matches }) => [{ title: `Members | ${rootBrand(matches).name} Admin` }];

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "member.list");
  const { searchParams } = context.request.url;
  const shorter = shorterPath(memberList, searchParams);
  if (shorter !== null) throw redirectWithin(shorter, { status: 302 });
  const filter = memberList.readFilter(searchParams);
  const page = pageRequest(searchParams);
  const read = readInSiteZone(context.db, (zone) => readMembers(context, actor, { filter, page, zone }));
  // The search is counted beside the read, so that it costs no second wait. Over the limit what was read is not shown.
  const [members, retryAt] = await Promise.all([
    readOrNull(
      context,
      "members_failed",
      read.then(({ value }) => value),
    ),
    countSearch(context, actor.userId, filter.q),
  ]);
  const data = {
    filter,
    members: retryAt === null ? members : null,
    isLimited: retryAt !== null,
    size: page.size,
    /** The file somebody had asked for before they had to prove who they are. */
    file: searchParams.get("export") === "ready" ? memberList.exportPath(searchParams) : null,
    token: issueFormToken(context, MEMBERS_PURPOSE),
    viewerId: actor.userId,
    mayChange: can(actor, "member.change"),
    mayExport: can(actor, "member.export"),
  };
  return json(data, retryInit(retryAt, context.now()));
}

export function headers(args: HeadersArgs) {
  return retryHeaders(args);
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "member.change");
  return runFormAction(context, memberActions, { actor, request, params: null });
}

export default function MembersPage() {
  const { filter, members, isLimited, file, mayExport, ...panel } = useLoaderData<typeof loader>();
  const { pathname, search, key } = useLocation();
  const rejection = usePostedResult<{ rejection: string }>()?.rejection ?? null;
  const path = file ? memberList.pathTo(filter) : pathname + search;
  const exportTo = memberList.exportPath(new URLSearchParams(memberList.query(filter)));
  return (
    <Page title="Members" actions={mayExport ? <ExportLink to={exportTo} /> : undefined} isDense>
      {file ? <ReadyFile to={file} content={fileContent(file, members?.total, memberList.noun)} /> : null}
      {members ? (
        <MemberListPanel
          {...panel}
          resetKey={key}
          members={members}
          filter={filter}
          path={path}
          rejection={rejection}
        />
      ) : (
        <>
          {isLimited ? <MemberFilters filter={filter} size={panel.size} organizations={[]} /> : null}
          <ErrorPanel message={isLimited ? TOO_MANY_SEARCHES : MEMBERS_FAILED} retryTo={path} />
        </>
      )}
    </Page>
  );
}
