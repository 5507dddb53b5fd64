import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { teamList } from "~/features/members/definition";
import { MEMBERS_FAILED } from "~/features/members/labels";
import { TeamListPage } from "~/features/members/team-page";
import { readTeam, TEAM_PURPOSE, teamActions } from "~/features/members/team-page.server";
import { requireFormMember } from "~/features/organizations/queries.server";
import { portalTitle } from "~/features/settings/brand";
import { loadList } from "~/features/workspace/load-list.server";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => portalTitle(page, "Team");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "member.list");
  const { organizationId } = actor.membership;
  return loadList(context, actor, teamList, {
    failed: MEMBERS_FAILED,
    read: (request) => readTeam(context, organizationId, request),
    more: () => ({ token: issueFormToken(context, TEAM_PURPOSE), viewerId: actor.userId, organizationId }),
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireFormMember(context, "member.list", request);
  return runFormAction(context, teamActions, { actor, request, params: null });
}

export default function TeamPage() {
  return <TeamListPage loaded={useLoaderData<typeof loader>()} />;
}
