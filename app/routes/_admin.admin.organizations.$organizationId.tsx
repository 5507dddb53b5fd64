import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { ClientLetters } from "~/features/letters/client-letters";
import { waitsForReview } from "~/features/organization-management/model";
import { EDIT_QUERY, ownershipPath } from "~/features/organization-management/paths";
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
import { organizationActions } from "~/features/organization-management/record-page.server";
import { organizationPath } from "~/features/organizations/model";
import { adminTitle } from "~/features/settings/brand";
import { ClientMade, ClientOrigins } from "~/features/submissions/client/client-origins";
import { makeClientActions } from "~/features/submissions/client/make-client.server";
import { ClientTicketSummary, ClientTickets } from "~/features/tickets/ui/client-tickets";
import { readClient } from "~/features/workspace/queries.server";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { RecordLayout } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) =>
  adminTitle(page, page.data?.organization.name ?? "Organization");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "organization.view");
  const id = idParam("org", params.organizationId);
  const { undo, ...client } = orNotFound(
    await readClient(context, actor, { id, params: context.request.url.searchParams }),
  );
  return json({
    ...client,
    undo: undo && { ...undo, token: formTokens(context, actor, makeClientActions).undo ?? "" },
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
  const editing = (
    <EditOrganization organization={organization} path={path} token={tokens.edit} isEditing={loaded.isEditing} />
  );
  return (
    <div key={id}>
      <OrganizationHead
        organization={organization}
        path={path}
        mayDelete={mayDelete}
        reviewToken={tokens.review}
        error={errors.review}
        waiting={owner && waitsForReview(owner) ? owner.name : null}
        ticketTo={loaded.ticketTo}
        editTo={tokens.edit ? path + EDIT_QUERY : null}
      />
      {tickets ? <ClientTicketSummary {...{ organization, ...tickets }} /> : null}
      {loaded.undo ? <ClientMade name={organization.name} undo={loaded.undo} /> : null}
      <RecordLayout
        sidebar={
          <OrganizationSidebar
            organization={organization}
            zone={zone}
            allowances={loaded.allowances}
            owner={<OrganizationOwner {...{ owner, zone, path, tokens, errors, transferTo }} />}
          />
        }
      >
        {loaded.isEditing ? editing : null}
        {tickets ? (
          <ClientTickets
            tickets={tickets.shown}
            active={organization.activeTickets}
            total={organization.tickets}
            allTo={ticketsTo}
            newTo={loaded.ticketTo}
          />
        ) : null}
        <OrganizationMembers members={members} total={allMembers} allTo={membersTo} zone={zone} />
        <OrganizationContacts contacts={loaded.contacts} isMore={loaded.hasMoreContacts} path={path} tokens={tokens} />
        <ClientOrigins origins={loaded.origins} zone={zone} />
        <OrganizationNotes
          organizationId={id}
          notes={notes}
          zone={zone}
          path={path}
          token={tokens.note}
          error={errors.note}
        />
        <ClientLetters letters={loaded.letters} zone={zone} />
        {loaded.isEditing ? null : editing}
        <OrganizationHistory history={history} zone={zone} path={path} />
      </RecordLayout>
    </div>
  );
}
