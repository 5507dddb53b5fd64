import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { eventList } from "~/features/security/events/definition";
import { eventRows } from "~/features/security/events/definition.server";
import { EventListPage } from "~/features/security/events/event-list";
import { EVENTS_FAILED } from "~/features/security/labels";
import { SECURITY_PATH } from "~/features/security/model";
import { adminTitle } from "~/features/settings/brand";
import { loadList } from "~/features/workspace/load-list.server";
import { Breadcrumb } from "~/ui/page";

export { clientLoader, ErrorBoundary, headers, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Two-step sign-in events");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "security.view");
  return loadList(context, actor, eventList, {
    failed: EVENTS_FAILED,
    read: (request) => eventRows.read(context.db, request),
  });
}

export default function MfaEventsPage() {
  return (
    <>
      <Breadcrumb dense items={[{ label: "Security", to: SECURITY_PATH }, { label: "Two-step sign-in events" }]} />
      <EventListPage loaded={useLoaderData<typeof loader>()} />
    </>
  );
}
