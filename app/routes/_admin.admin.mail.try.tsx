import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { INBOUND_MAIL } from "~/features/inbound-mail/labels";
import { MAIL_PATH } from "~/features/inbound-mail/paths";
import { TryMail } from "~/features/inbound-mail/try-mail";
import { tryActions } from "~/features/inbound-mail/try-mail.server";
import { adminTitle } from "~/features/settings/brand";
import { getSettings } from "~/features/settings/queries.server";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { Breadcrumb, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

const TITLE = "Try a mail";

export const meta: MetaFunction = (page) => adminTitle(page, TITLE);

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  const { timeZone: zone } = await getSettings(context.db);
  const { try: token } = formTokens(context, actor, tryActions);
  return json({ zone, token: token ?? "" });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  return runFormAction(context, tryActions, { actor, request, params: null });
}

export default function TryMailPage() {
  const { zone, token } = useLoaderData<typeof loader>();
  const crumbs = [{ label: INBOUND_MAIL, to: MAIL_PATH }, { label: TITLE }];
  return (
    <Page
      title={TITLE}
      description="Says where a mail would go, and why. It has no effect."
      breadcrumb={<Breadcrumb dense items={crumbs} />}
    >
      <TryMail token={token} zone={zone} />
    </Page>
  );
}
