import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { MEMBERS_PATH } from "~/features/members/definition";
import { waitsForReview } from "~/features/organization-management/model";
import { ownershipPath } from "~/features/organization-management/paths";
import {
  EditOrganization,
  OrganizationContacts,
  OrganizationHead,
  OrganizationHistory,
  OrganizationMembers,
  OrganizationNotes,
  OrganizationOwner,
  OrganizationSidebar,
  useOrganizationErrors,
} from "~/features/organization-management/record-page";
import { organizationActions, readOrganizationRecord } from "~/features/organization-management/record-page.server";
import { organizationPath } from "~/features/organizations/model";
import { adminTitle } from "~/features/settings/brand";
import { ClientMade, ClientOrigins } from "~/features/submissions/client/client-origins";
import { makeClientActions, readClientOrigins } from "~/features/submissions/client/make-client.server";
import { STAFF_TICKETS_PATH } from "~/features/tickets/paths";
import { listRecentTickets } from "~/features/tickets/queries.server";
import { RecentTickets } from "~/features/tickets/ui/recent-tickets";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { withParams } from "~/lib/addresses";
import { keepingLoader } from "~/live/page-refresh";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { RecordLayout } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/error-page";
export { clientAction, revalidateWhenSaved as shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction<typeof loader> = (page) =>
  adminTitle(page, page.data?.organization.name ?? "Organization");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "organization.view");
  const id = idParam("org", params.organizationId);
  const { searchParams } = context.request.url;
  const [record, { origins, undo }, tickets] = await Promise.all([
    readOrganizationRecord(context, actor, { id, params: searchParams }),
    readClientOrigins(context, actor, id),
    readOrNull(context, "recent_tickets_failed", listRecentTickets(context.db, id)),
  ]);
  return json({
    ...orNotFound(record),
    origins,
    undo: undo && { ...undo, token: formTokens(context, actor, makeClientActions).undo ?? "" },
    tickets,
    ticketsTo: withParams(STAFF_TICKETS_PATH, { organization: id }),
    path: organizationPath(id),
    membersTo: withParams(MEMBERS_PATH, { organization: id }),
    tokens: formTokens(context, actor, organizationActions),
    mayDelete: can(actor, "organization.delete"),
    transferTo: can(actor, "organization.transfer") ? ownershipPath(id) : null,
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "organization.view");
  const organizationId = idParam("org", params.organizationId);
  const path = organizationPath(organizationId);
  return runFormAction(context, organizationActions, { actor, request, params: { organizationId, path } });
}

export default function OrganizationPage() {
  const loaded = useLoaderData<typeof loader>();
  const { organization, owner, members, notes, history, zone, path, membersTo, tickets, ticketsTo } = loaded;
  const { tokens, mayDelete, transferTo } = loaded;
  const errors = useOrganizationErrors(path);
  const { id, allMembers } = organization;
  return (
    <div>
      <OrganizationHead
        organization={organization}
        path={path}
        mayDelete={mayDelete}
        reviewToken={tokens.review}
        error={errors.review}
        waiting={owner && waitsForReview(owner) ? owner.name : null}
      />
      {loaded.undo ? <ClientMade name={organization.name} undo={loaded.undo} /> : null}
      <RecordLayout
        sidebar={
          <OrganizationSidebar
            organization={organization}
            zone={zone}
            owner={<OrganizationOwner {...{ owner, zone, path, tokens, errors, transferTo }} />}
          />
        }
      >
        <EditOrganization organization={organization} path={path} token={tokens.edit} error={errors.edit} />
        <OrganizationMembers members={members} total={allMembers} allTo={membersTo} zone={zone} />
        <OrganizationContacts contacts={loaded.contacts} isMore={loaded.hasMoreContacts} path={path} tokens={tokens} />
        {tickets ? <RecentTickets tickets={tickets} allTo={ticketsTo} /> : null}
        <ClientOrigins origins={loaded.origins} zone={zone} />
        <OrganizationNotes
          organizationId={id}
          notes={notes}
          zone={zone}
          path={path}
          token={tokens.note}
          error={errors.note}
        />
        <OrganizationHistory history={history} zone={zone} path={path} />
      </RecordLayout>
    </div>
  );
}
