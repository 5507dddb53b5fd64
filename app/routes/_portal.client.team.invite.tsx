import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { INVITE_PATH } from "~/features/members/definition";
import { INVITE_MEMBER } from "~/features/members/labels";
import { INVITE_FORM, InviteForm } from "~/features/members/team-page";
import { findDefaultRole, INVITE_PURPOSE, type InviteResult, inviteActions } from "~/features/members/team-page.server";
import { requireFormMember } from "~/features/organizations/queries.server";
import { portalTitle } from "~/features/settings/brand";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { formKey, useFormResult } from "~/ui/form";
import { Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => portalTitle(page, INVITE_MEMBER);

export async function loader({ context }: LoaderFunctionArgs) {
  const { membership } = await requireMember(context, "member.invite");
  const { organizationId } = membership;
  return json({
    organizationId,
    defaultRole: await findDefaultRole(context.db, organizationId),
    token: issueFormToken(context, INVITE_PURPOSE),
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireFormMember(context, "member.invite", request);
  return runFormAction(context, inviteActions, { actor, request, params: null });
}

export default function InvitePage() {
  const result = useFormResult<InviteResult>(formKey(INVITE_PATH, INVITE_FORM));
  return (
    <Page title={INVITE_MEMBER}>
      <InviteForm {...useLoaderData<typeof loader>()} result={result} />
    </Page>
  );
}
