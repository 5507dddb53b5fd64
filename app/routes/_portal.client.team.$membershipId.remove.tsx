import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { TEAM_PATH, teamRemovalPath } from "~/features/members/definition";
import { confirmRemoval, REMOVE_TEAM_MEMBER } from "~/features/members/labels";
import { findRemovableMember } from "~/features/members/queries.server";
import { RemovalConfirmation } from "~/features/members/removal-confirmation";
import { TEAM_REMOVAL_PURPOSE, teamRemovalActions } from "~/features/members/team-page.server";
import { requireFormMember } from "~/features/organizations/queries.server";
import { portalTitle } from "~/features/settings/brand";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => portalTitle(page, REMOVE_TEAM_MEMBER);

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "member.change");
  const { organizationId } = actor.membership;
  const membershipId = idParam("mem", params.membershipId);
  const member = orNotFound(await findRemovableMember(context.db, actor, { membershipId, organizationId }));
  return json({
    question: confirmRemoval({ name: member.name, organization: member.organizationName }),
    token: issueFormToken(context, TEAM_REMOVAL_PURPOSE),
    path: teamRemovalPath(membershipId),
    organizationId,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireFormMember(context, "member.change", request);
  const membershipId = idParam("mem", params.membershipId);
  return runFormAction(context, teamRemovalActions, { actor, request, params: { membershipId } });
}

export default function RemoveTeamMemberPage() {
  return (
    <Page title={REMOVE_TEAM_MEMBER}>
      <RemovalConfirmation {...useLoaderData<typeof loader>()} label="Remove member" back={TEAM_PATH} />
    </Page>
  );
}
