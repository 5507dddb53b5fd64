import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { CannedReplyList } from "~/features/canned-replies/canned-replies";
import { LIST_NAME } from "~/features/canned-replies/labels";
import { NEW_CANNED_REPLY_PATH } from "~/features/canned-replies/model";
import { listCannedReplies, mayEdit } from "~/features/canned-replies/queries.server";
import { adminTitle } from "~/features/settings/brand";
import { LinkButton } from "~/ui/button";
import { Page } from "~/ui/page";

export { clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, LIST_NAME);

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "canned_reply.edit");
  const replies = await listCannedReplies(context.db, actor.userId);
  return json({ replies: replies.map((reply) => ({ ...reply, mayEdit: mayEdit(actor, reply) })) });
}

export default function CannedRepliesPage() {
  const { replies } = useLoaderData<typeof loader>();
  return (
    <Page
      title={LIST_NAME}
      description="Texts to insert into a reply to a client."
      actions={<LinkButton to={NEW_CANNED_REPLY_PATH}>New reply</LinkButton>}
    >
      <CannedReplyList replies={replies} />
    </Page>
  );
}
