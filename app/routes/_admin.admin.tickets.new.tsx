import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { readStaffOpening, staffOpeningActions } from "~/features/tickets/opening/staff-opening.server";
import { OrganizationChoice, StaffTicketForm } from "~/features/tickets/opening/staff-ticket-form";
import { STAFF_TICKETS_PATH } from "~/features/tickets/paths";
import type { ValidationError } from "~/lib/form";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { ErrorSummary, usePostedResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { Breadcrumb, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "New Ticket");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "ticket.open");
  const { open: token } = formTokens(context, actor, staffOpeningActions);
  return json({
    ...(await readStaffOpening(context.db, actor, context.request.url.searchParams)),
    mayInvite: can(actor, "organization.manage"),
    token: token ?? "",
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "ticket.open");
  return runFormAction(context, staffOpeningActions, { actor, request, params: null });
}

export default function NewStaffTicketPage() {
  const page = useLoaderData<typeof loader>();
  const { organization, submission, inModeration, path } = page;
  // The organization may be gone that the form was for.
  const failed = usePostedResult<ValidationError>();
  const crumbs = [{ label: "Tickets", to: STAFF_TICKETS_PATH }, { label: "New Ticket" }];
  return (
    <Page
      title="New Ticket"
      description="The client gets a mail about it."
      breadcrumb={<Breadcrumb dense items={crumbs} />}
    >
      {submission ? (
        <p>
          From submission <Link to={submission.path}>{submission.number}</Link> of {submission.name}. The sender typed
          the address {submission.email}, which is not confirmed.
        </p>
      ) : null}
      {inModeration ? (
        <p>
          Submission <Link to={inModeration.path}>{inModeration.number}</Link> is held for review: {inModeration.reason}
          . Release it there first to open a ticket from it.
        </p>
      ) : null}
      {failed && !organization ? <ErrorSummary title={failed.title} errors={failed.errors} /> : null}
      <OrganizationChoice {...page} />
      <StaffTicketForm key={path} {...page} />
    </Page>
  );
}
