import {
  type ActionFunctionArgs,
  type HeadersArgs,
  json,
  type LoaderFunctionArgs,
  type MetaFunction,
} from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { MEMBERS_FAILED } from "~/features/members/copy";
import { TEAM_PURPOSE, teamActions } from "~/features/members/team/actions.server";
import { INVITE_MEMBER } from "~/features/members/team/copy";
import { INVITE_PATH, teamList } from "~/features/members/team/definition";
import { readTeam } from "~/features/members/team/read-team.server";
import { TeamFilters, TeamPanel } from "~/features/members/team/ui/team-panel";
import { readInSiteZone } from "~/features/settings/queries.server";
import { rootBrand } from "~/features/settings/root-brand";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { TOO_MANY_SEARCHES } from "~/lists/copy";
import { pageRequest } from "~/lists/paging.server";
import { shorterPath } from "~/lists/shorter-path.server";
import { keepingLoader } from "~/live/page-refresh";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { retryHeaders } from "~/platform/respond.server";
import { redirectWithin, retryInit } from "~/platform/route-responses.server";
import { countSearch } from "~/platform/search-limit.server";
import { LinkButton } from "~/ui/button";
import { ErrorPanel } from "~/ui/error-panel";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { clientAction, shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction = ({ matches }) => [{ title: `Team | ${rootBrand(matches).name} Portal` }];

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "member.list");
  const { searchParams } = context.request.url;
  const shorter = shorterPath(teamList, searchParams);
  if (shorter !== null) throw redirectWithin(shorter, { status: 302 });
  const filter = teamList.readFilter(searchParams);
  const page = pageRequest(searchParams);
  const read = readInSiteZone(context.db, (zone) => readTeam(context, actor, { filter, page, zone }));
  // The search is counted beside the read, so that it costs no second wait. Over the limit what was read is not shown.
  const [team, retryAt] = await Promise.all([
    readOrNull(
      context,
      "team_failed",
      read.then(({ value }) => value),
    ),
    countSearch(context, actor.userId, filter.q),
  ]);
  const data = {
    filter,
    team: retryAt === null ? team : null,
    isLimited: retryAt !== null,
    size: page.size,
    token: issueFormToken(context, TEAM_PURPOSE),
    viewerId: actor.userId,
    organizationId: actor.membership.organizationId,
  };
  return json(data, retryInit(retryAt, context.now()));
}

export function headers(args: HeadersArgs) {
  return retryHeaders(args);
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireMember(context, "member.list");
  return runFormAction(context, teamActions, { actor, request, params: null });
}

export default function TeamPage() {
  const { team, isLimited, ...panel } = useLoaderData<typeof loader>();
  const { pathname, search, key } = useLocation();
  const path = pathname + search;
  return (
    <Page title="Team" actions={<LinkButton to={INVITE_PATH}>{INVITE_MEMBER}</LinkButton>} isDense>
      {team ? (
        <TeamPanel {...panel} team={team} path={path} resetKey={key} />
      ) : (
        <>
          {isLimited ? <TeamFilters filter={panel.filter} size={panel.size} /> : null}
          <ErrorPanel message={isLimited ? TOO_MANY_SEARCHES : MEMBERS_FAILED} retryTo={path} />
        </>
      )}
    </Page>
  );
}
