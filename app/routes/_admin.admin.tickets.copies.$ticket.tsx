import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { rootBrand } from "~/features/settings/brand";
import { CC_PURPOSE, staffCcActions } from "~/features/tickets/cc/actions.server";
import { CcList } from "~/features/tickets/cc/cc-list";
import { readCcForStaff } from "~/features/tickets/cc/queries.server";
import { staffCcPath, staffTicketPath } from "~/features/tickets/paths";
import { StaffSubpage } from "~/features/tickets/ui/subpage";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { orNotFound, ticketParam } from "~/platform/responses.server";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => [
  { title: `${data?.hasErrors ? "Error: " : ""}Copies by Mail | ${rootBrand(matches).name} Admin` },
];

export async function loader({ context, params }: LoaderFunctionArgs) {
  await requireStaff(context, "ticket.handle");
  return json({
    ...orNotFound(await readCcForStaff(context.db, ticketParam(params.ticket))),
    token: issueFormToken(context, CC_PURPOSE),
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  return runFormAction(context, staffCcActions, { actor, request, params: { ticket: ticketParam(params.ticket) } });
}

export default function CcPage() {
  const { hasErrors: _, ...page } = useLoaderData<typeof loader>();
  return (
    <StaffSubpage reference={page.reference} title="Copies to other addresses">
      <CcList
        {...page}
        path={staffCcPath(page.reference)}
        ticketPath={staffTicketPath(page.reference)}
        organizationId={null}
      />
    </StaffSubpage>
  );
}
