import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData, useSearchParams } from "@remix-run/react";
import { accountMeta } from "~/features/account/account-page";
import { loadSolvedPage, solvedActions } from "~/features/tickets/solved/page.server";
import { SolvedCard } from "~/features/tickets/solved/solved-card";
import { runFormAction } from "~/platform/form-actions.server";
import { respond } from "~/platform/respond.server";

export { retryHeaders as headers } from "~/ui/form";

export const meta: MetaFunction<typeof loader> = (page) => accountMeta(page, "Is it solved?");

export async function loader({ context }: LoaderFunctionArgs) {
  return respond(context, await loadSolvedPage(context));
}

export async function action({ context, request }: ActionFunctionArgs) {
  return runFormAction(context, solvedActions, { actor: null, request, params: null });
}

export default function SolvedPage() {
  const [search] = useSearchParams();
  return (
    <SolvedCard
      {...useLoaderData<typeof loader>()}
      path="/solved"
      isDone={search.has("done")}
      validationError={useActionData<typeof action>() ?? null}
    />
  );
}
