import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { confirmRemoval, REMOVE_MEMBER } from "~/features/members/labels";
import { REMOVAL_PURPOSE, removalActions, removalAt } from "~/features/members/list-page.server";
import { findRemovableMember } from "~/features/members/queries.server";
import { RemovalConfirmation } from "~/features/members/removal-confirmation";
import { adminTitle } from "~/features/settings/brand";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, REMOVE_MEMBER);

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "member.change");
  const { membershipId, back, path } = removalAt(context.request.url, idParam("mem", params.membershipId));
  const target = { membershipId, organizationId: null };
  const { name, organizationName } = orNotFound(await findRemovableMember(context.db, actor, target));
  return json({
    question: confirmRemoval({ name, organization: organizationName }),
    token: issueFormToken(context, REMOVAL_PURPOSE),
    path,
    back,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "member.change");
  return runFormAction(context, removalActions, {
    actor,
    request,
    params: removalAt(context.request.url, idParam("mem", params.membershipId)),
  });
}

export default function RemoveMemberPage() {
  return (
    <Page title={REMOVE_MEMBER}>
      <RemovalConfirmation label="Remove member" {...useLoaderData<typeof loader>()} />
    </Page>
  );
}
