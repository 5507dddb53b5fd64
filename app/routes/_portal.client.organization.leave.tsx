import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireMember } from "~/features/auth/guards.server";
import { TRANSFER_OWNERSHIP } from "~/features/members/labels";
import { LEAVE_PURPOSE, leaveActions } from "~/features/organization-settings/actions.server";
import { LEAVE_ORGANIZATION, OWNER_CANNOT_LEAVE } from "~/features/organization-settings/labels";
import { LEAVE_PATH, TRANSFER_PATH } from "~/features/organization-settings/model";
import { portalTitle } from "~/features/settings/brand";
import { PORTAL_HOME_PATH } from "~/lib/addresses";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { ButtonRow, LinkButton } from "~/ui/button";
import { Form, SubmitButton } from "~/ui/form";
import { Confirmation, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => portalTitle(page, LEAVE_ORGANIZATION);

export async function loader({ context }: LoaderFunctionArgs) {
  const { membership } = await requireMember(context, "organization.view");
  return json({
    id: membership.organizationId,
    name: membership.organizationName,
    isOwner: membership.role === "owner",
    token: issueFormToken(context, LEAVE_PURPOSE),
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireMember(context, "organization.view");
  return runFormAction(context, leaveActions, { actor, request, params: null });
}

export default function LeavePage() {
  const { id, name, isOwner, token } = useLoaderData<typeof loader>();
  const cancel = (
    <LinkButton variant="quiet" to={PORTAL_HOME_PATH}>
      Cancel
    </LinkButton>
  );
  return (
    <Page title={LEAVE_ORGANIZATION}>
      <Confirmation>
        {isOwner ? (
          <>
            <p>{OWNER_CANNOT_LEAVE}</p>
            <ButtonRow dense>
              <LinkButton to={TRANSFER_PATH}>{TRANSFER_OWNERSHIP}</LinkButton>
              {cancel}
            </ButtonRow>
          </>
        ) : (
          <>
            <p>Leave {name}? You lose access to its tickets at once. Your account stays.</p>
            <Form action={LEAVE_PATH} token={token}>
              <input type="hidden" name="organization_id" value={id} />
              <ButtonRow dense>
                <SubmitButton variant="danger" pendingLabel="Leaving...">
                  {LEAVE_ORGANIZATION}
                </SubmitButton>
                {cancel}
              </ButtonRow>
            </Form>
          </>
        )}
      </Confirmation>
    </Page>
  );
}
