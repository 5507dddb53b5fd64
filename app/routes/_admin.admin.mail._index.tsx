import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { undeliveredActions } from "~/features/inbound-mail/actions.server";
import { INBOUND_MAIL } from "~/features/inbound-mail/labels";
import { MailList } from "~/features/inbound-mail/mail-list";
import { readMailList } from "~/features/inbound-mail/mail-list.server";
import { adminTitle } from "~/features/settings/brand";
import { runFormAction } from "~/platform/form-actions.server";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, INBOUND_MAIL);

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  return json(await readMailList(context, actor));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  return runFormAction(context, undeliveredActions, { actor, request, params: null });
}

export default function MailPage() {
  return <MailList list={useLoaderData<typeof loader>()} />;
}
