import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireMember } from "~/features/auth/guards.server";
import { teamList } from "~/features/members/definition";
import { organizationSettingsActions, SETTINGS_PURPOSE } from "~/features/organization-settings/actions.server";
import { LEAVE_ORGANIZATION } from "~/features/organization-settings/labels";
import { LEAVE_PATH } from "~/features/organization-settings/model";
import { findOrganizationSettings, findWithoutFactor } from "~/features/organization-settings/queries.server";
import {
  MfaRequirementPanel,
  OrganizationSettingsForm,
  OwnershipPanel,
} from "~/features/organization-settings/settings-page";
import { requireFormMember } from "~/features/organizations/queries.server";
import { portalTitle } from "~/features/settings/brand";
import { getSettings } from "~/features/settings/queries.server";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { orNotFound } from "~/platform/responses.server";
import { LinkButton } from "~/ui/button";
import { Link } from "~/ui/link";
import { Page, Panel } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => portalTitle(page, "Organization");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "organization.edit");
  const { organizationId } = actor.membership;
  const isOwner = can(actor, "organization.require_mfa");
  const [settings, withoutFactor, { timeZone: zone }] = await Promise.all([
    findOrganizationSettings(context.db, organizationId),
    isOwner ? findWithoutFactor(context.db, organizationId) : null,
    getSettings(context.db),
  ]);
  const token = issueFormToken(context, SETTINGS_PURPOSE);
  return json({ organizationId, settings: orNotFound(settings), withoutFactor, zone, token });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireFormMember(context, "organization.edit", request);
  return runFormAction(context, organizationSettingsActions, { actor, request, params: null });
}

export default function OrganizationPage() {
  const { settings, withoutFactor, zone, ...form } = useLoaderData<typeof loader>();
  return (
    <Page title="Organization">
      <OrganizationSettingsForm settings={settings} {...form} />
      {withoutFactor ? (
        <MfaRequirementPanel requiredAt={settings.mfaRequiredAt} withoutFactor={withoutFactor} zone={zone} {...form} />
      ) : null}
      <Panel id="members" title="Members">
        <p>
          <Link to={teamList.path}>Team</Link> · <Link to={teamList.csvPath}>Export members as CSV</Link>
        </p>
      </Panel>
      {withoutFactor ? (
        <OwnershipPanel />
      ) : (
        <Panel id="leave" title="Leave">
          <LinkButton variant="quiet" to={LEAVE_PATH}>
            {LEAVE_ORGANIZATION}
          </LinkButton>
        </Panel>
      )}
    </Page>
  );
}
