import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { accountMeta } from "~/features/account/account-page";
import { UnsubscribeCard } from "~/features/notifications/unsubscribe-card";
import { loadStopCc, stopCcActions } from "~/features/tickets/cc/actions.server";
import { STOP_CC_NOTE } from "~/features/tickets/labels";
import { runFormAction } from "~/platform/form-actions.server";
import { respond } from "~/platform/respond.server";

export const meta: MetaFunction<typeof loader> = (page) => accountMeta(page, "No more copies");

export async function loader({ context }: LoaderFunctionArgs) {
  return respond(context, loadStopCc(context));
}

export async function action({ context, request }: ActionFunctionArgs) {
  return runFormAction(context, stopCcActions, { actor: null, request, params: null });
}

export default function StopCcPage() {
  const { search } = useLocation();
  return <UnsubscribeCard {...useLoaderData<typeof loader>()} path={`/stop-copies${search}`} note={STOP_CC_NOTE} />;
}
