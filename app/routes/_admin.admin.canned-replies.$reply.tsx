import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { cannedReplyActions, replyParam } from "~/features/canned-replies/actions.server";
import { CannedReplyForm } from "~/features/canned-replies/canned-replies";
import { LIST_NAME } from "~/features/canned-replies/labels";
import { CANNED_REPLIES_PATH, cannedReplyPath } from "~/features/canned-replies/model";
import { findCannedReply, mayEdit } from "~/features/canned-replies/queries.server";
import { adminTitle } from "~/features/settings/brand";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { orNotFound } from "~/platform/responses.server";
import { Breadcrumb, type ListHandle, Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const handle: ListHandle = { listName: LIST_NAME };

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, page.data?.reply?.title ?? "New reply");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "canned_reply.edit");
  const id = replyParam(params.reply);
  const found = id === null ? null : orNotFound(await findCannedReply(context.db, id, actor.userId));
  const reply = found === null ? null : orNotFound(mayEdit(actor, found) ? found : null);
  return json({
    reply,
    path: cannedReplyPath(id ?? "new"),
    mayShare: mayEdit(actor, { isShared: true }),
    tokens: formTokens(context, actor, cannedReplyActions),
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "canned_reply.edit");
  return runFormAction(context, cannedReplyActions, { actor, request, params: { id: replyParam(params.reply) } });
}

export default function CannedReplyPage() {
  const { reply, path, mayShare, tokens } = useLoaderData<typeof loader>();
  const title = reply?.title ?? "New reply";
  const crumbs = [{ label: LIST_NAME, to: CANNED_REPLIES_PATH }, { label: title }];
  return (
    <Page title={title} breadcrumb={<Breadcrumb dense items={crumbs} />}>
      <CannedReplyForm key={path} reply={reply} path={path} tokens={tokens} mayShare={mayShare} />
    </Page>
  );
}
