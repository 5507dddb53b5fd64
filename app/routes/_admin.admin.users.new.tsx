import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { identityRequest } from "~/features/auth/confirm-identity.server";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import type { NewUserAnswer } from "~/features/user-management/model";
import { NewUserForm } from "~/features/user-management/new-user";
import { NEW_USER_PURPOSE, newUserActions } from "~/features/user-management/new-user.server";
import { NEW_USER_PATH, USERS_PATH } from "~/features/users/model";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { formKey, useFormResult } from "~/ui/form";
import { Breadcrumb, Page } from "~/ui/page";
import { LinkTabs } from "~/ui/tabs";

export { clientAction, clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

const TITLE = "Add New User";
const MANUAL_PATH = `${NEW_USER_PATH}?tab=manual`;

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, TITLE);

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "user.invite");
  const { url } = context.request;
  return json({
    way: url.searchParams.get("tab") === "manual" ? ("create" as const) : ("invite" as const),
    token: issueFormToken(context, NEW_USER_PURPOSE),
    identity: identityRequest(context, actor),
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "user.invite");
  return runFormAction(context, newUserActions, { actor, request, params: null });
}

export default function NewUserPage() {
  const { way, token, identity } = useLoaderData<typeof loader>();
  const path = way === "create" ? MANUAL_PATH : NEW_USER_PATH;
  const answer = useFormResult<NewUserAnswer>(formKey(path, way)) ?? null;
  const tabs = [
    { to: NEW_USER_PATH, label: "Send Invitation", current: way === "invite" },
    { to: MANUAL_PATH, label: "Manual Add", current: way === "create" },
  ];
  return (
    <Page
      title={TITLE}
      breadcrumb={<Breadcrumb dense items={[{ label: "Users", to: USERS_PATH }, { label: TITLE }]} />}
    >
      <LinkTabs label="Ways to add a user" items={tabs} />
      <NewUserForm key={way} way={way} path={path} token={token} answer={answer} identity={identity} />
    </Page>
  );
}
