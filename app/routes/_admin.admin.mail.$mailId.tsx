import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { mailActions } from "~/features/inbound-mail/actions.server";
import { INBOUND_MAIL } from "~/features/inbound-mail/labels";
import { MailList } from "~/features/inbound-mail/mail-list";
import { readMailList } from "~/features/inbound-mail/mail-list.server";
import { MailRecord } from "~/features/inbound-mail/mail-page";
import { readMailRecord } from "~/features/inbound-mail/mail-page.server";
import { mailPath } from "~/features/inbound-mail/paths";
import { adminTitle } from "~/features/settings/brand";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/responses.server";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, page.data?.mail.subject || INBOUND_MAIL);

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  const id = idParam("inm", params.mailId);
  const record = orNotFound(await readMailRecord(context, actor, id));
  const list = await readMailList(context, actor, record.mail.state);
  return json({ ...record, list, path: mailPath(id), tokens: formTokens(context, actor, mailActions) });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "ticket.handle");
  return runFormAction(context, mailActions, { actor, request, params: { id: idParam("inm", params.mailId) } });
}

export default function MailRecordPage() {
  const { list, ...record } = useLoaderData<typeof loader>();
  const { id, subject } = record.mail;
  return <MailList list={list} open={{ id, subject, children: <MailRecord key={id} {...record} /> }} />;
}
