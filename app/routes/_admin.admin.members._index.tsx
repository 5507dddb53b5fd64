import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, useLocation } from "@remix-run/react";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { memberList } from "~/features/members/definition";
import { MEMBERS_FAILED } from "~/features/members/labels";
import { MemberFilters, MemberListPanel } from "~/features/members/list-page";
import { MEMBERS_PURPOSE, memberActions, readMembers } from "~/features/members/list-page.server";
import { NO_CHOICES } from "~/features/organizations/model";
import { listOrganizationChoices } from "~/features/organizations/queries.server";
import { adminTitle } from "~/features/settings/brand";
import { loadList, readOrNull } from "~/features/workspace/load-list.server";
import { ListPage, useListPath } from "~/lists/ui/list-page";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { ExportLink } from "~/ui/export-links";
import { usePostedResult } from "~/ui/form";

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
  const loaded = useLoaderData<typeof loader>();
  const { list, organizations, filter, size, mayExport } = loaded;
  const { key } = useLocation();
  const path = useListPath(memberList, loaded);
  const rejection = usePostedResult<{ rejection: string }>()?.rejection ?? null;
  const exportTo = memberList.exportPath(new URLSearchParams(memberList.query(filter)));
  return (
    <ListPage
      loaded={loaded}
      path={path}
      title="Members"
      actions={mayExport ? <ExportLink to={exportTo} /> : undefined}
      filters={<MemberFilters filter={filter} size={size} organizations={organizations} />}
    >
      {list ? <MemberListPanel {...loaded} members={list} path={path} rejection={rejection} resetKey={key} /> : null}
    </ListPage>
  );
}
