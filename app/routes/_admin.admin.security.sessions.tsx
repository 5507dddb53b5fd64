import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { SESSIONS_FAILED } from "~/features/security/labels";
import { SECURITY_PATH, SESSIONS_PATH } from "~/features/security/model";
import { OpenSessionList } from "~/features/security/open-sessions";
import { readOpenSessions } from "~/features/security/queries.server";
import { adminTitle } from "~/features/settings/brand";
import { readOrNull } from "~/features/workspace/load-list.server";
import { Breadcrumb, ErrorPanel, Page } from "~/ui/page";

export { clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Active sessions");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "security.view");
  const before = context.request.url.searchParams.get("before");
  const page = await readOrNull(context, "active_sessions_failed", readOpenSessions(context, before));
  return json({ page, ownId: actor.userId });
}

export default function ActiveSessionsPage() {
  const { page, ownId } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Active sessions"
      breadcrumb={<Breadcrumb dense items={[{ label: "Security", to: SECURITY_PATH }, { label: "Active sessions" }]} />}
    >
      {page ? (
        <OpenSessionList {...page} ownId={ownId} />
      ) : (
        <ErrorPanel message={SESSIONS_FAILED} retryTo={SESSIONS_PATH} />
      )}
    </Page>
  );
}
