import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { MakeClient, NoNewClient } from "~/features/submissions/client/make-client";
import { makeClientActions, readMakeClient } from "~/features/submissions/client/make-client.server";
import { MAKE_CLIENT } from "~/features/submissions/labels";
import { SUBMISSIONS_PATH, submissionPath } from "~/features/submissions/subject";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { Breadcrumb, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, MAKE_CLIENT);

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "organization.manage");
  const id = idParam("sub", params.submissionId);
  return json({
    ...orNotFound(await readMakeClient(context, id)),
    isForTicket: context.request.url.searchParams.get("for") === "ticket",
    tokens: formTokens(context, actor, makeClientActions),
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "organization.manage");
  const submissionId = idParam("sub", params.submissionId);
  return runFormAction(context, makeClientActions, { actor, request, params: { submissionId } });
}

export default function MakeClientPage() {
  const loaded = useLoaderData<typeof loader>();
  const { submission, client, madeBy, isForTicket } = loaded;
  const crumbs = [
    { label: "Submissions", to: SUBMISSIONS_PATH },
    { label: submission.number, to: submissionPath(submission.id) },
    { label: MAKE_CLIENT },
  ];
  const origin = `Everything below comes from the request of ${submission.name}. Correct what is wrong.`;
  const description = isForTicket
    ? `A ticket belongs to a client, and there is none for this request yet: make it, then open the ticket. ${origin}`
    : origin;
  const isOpen = !client && !submission.isInModeration;
  return (
    <Page
      title={MAKE_CLIENT}
      description={isOpen ? description : undefined}
      breadcrumb={<Breadcrumb dense items={crumbs} />}
      isDense
    >
      {isOpen ? <MakeClient {...loaded} /> : <NoNewClient submission={submission} client={client} madeBy={madeBy} />}
    </Page>
  );
}
