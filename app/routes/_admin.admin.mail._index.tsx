import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { INBOUND_MAIL } from "~/features/inbound-mail/labels";
import { MailList } from "~/features/inbound-mail/mail-list";
import { readMailList } from "~/features/inbound-mail/mail-list.server";
import { adminTitle } from "~/features/settings/brand";

export { clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, INBOUND_MAIL);

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  return json(await readMailList(context, actor));
}

export default function MailPage() {
  return <MailList list={useLoaderData<typeof loader>()} />;
}
