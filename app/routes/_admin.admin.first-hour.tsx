import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { firstHourActions, readFirstHourPage } from "~/features/setup/first-hour.server";
import { FirstHour } from "~/features/setup/first-hour-page";
import { runFormAction } from "~/platform/form-actions.server";
import { Page } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "The first hour");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "settings.change");
  return json(await readFirstHourPage(context, actor));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "settings.change");
  return runFormAction(context, firstHourActions, { actor, request, params: null });
}

export default function FirstHourPage() {
  const page = useLoaderData<typeof loader>();
  return (
    <Page title="The first hour" isDense>
      <FirstHour {...page} />
    </Page>
  );
}
