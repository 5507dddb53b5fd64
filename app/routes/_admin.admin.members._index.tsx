import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { memberList } from "~/features/members/definition";
import { MEMBERS_FAILED } from "~/features/members/labels";
import { MemberListPage } from "~/features/members/list-page";
import { MEMBERS_PURPOSE, memberActions, readMembers } from "~/features/members/list-page.server";
import { NO_CHOICES } from "~/features/organizations/model";
import { listOrganizationChoices } from "~/features/organizations/queries.server";
import { adminTitle } from "~/features/settings/brand";
import { loadList, readOrNull } from "~/features/workspace/load-list.server";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Members");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "member.list");
  return loadList(context, actor, memberList, {
    failed: MEMBERS_FAILED,
    read: (request) => readMembers(context, request),
    more: async ({ organization }) => ({
      organizations:
        (await readOrNull(context, "organizations_failed", listOrganizationChoices(context.db, organization))) ??
        NO_CHOICES,
      token: issueFormToken(context, MEMBERS_PURPOSE),
      viewerId: actor.userId,
      mayChange: can(actor, "member.change"),
      mayExport: can(actor, "member.export"),
    }),
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "member.change");
  return runFormAction(context, memberActions, { actor, request, params: null });
}

export default function MembersPage() {
  return <MemberListPage loaded={useLoaderData<typeof loader>()} />;
}
