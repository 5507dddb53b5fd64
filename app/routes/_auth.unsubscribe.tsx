import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { accountMeta } from "~/features/account/account-page";
import { loadUnsubscribePage, unsubscribeActions } from "~/features/notifications/unsubscribe.server";
import { UnsubscribeCard } from "~/features/notifications/unsubscribe-card";
import { runFormAction } from "~/platform/form-actions.server";
import { respond } from "~/platform/respond.server";

export const meta: MetaFunction<typeof loader> = (page) => accountMeta(page, "Unsubscribe");

export async function loader({ context }: LoaderFunctionArgs) {
  return respond(context, loadUnsubscribePage(context));
}

export async function action({ context, request }: ActionFunctionArgs) {
  return runFormAction(context, unsubscribeActions, { actor: null, request, params: null });
}

export default function UnsubscribePage() {
  const { search } = useLocation();
  return <UnsubscribeCard {...useLoaderData<typeof loader>()} path={`/unsubscribe${search}`} />;
}
