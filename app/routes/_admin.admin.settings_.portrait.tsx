import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { PicturePage } from "~/features/settings-management/picture-page";
import { pictureActions, readPicturePage } from "~/features/settings-management/picture-page.server";
import { runFormAction } from "~/platform/form-actions.server";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Founder’s picture");

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "settings.change");
  return json(await readPicturePage(context, actor, "portrait"));
}

export async function action({ context, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "settings.change");
  return runFormAction(context, pictureActions.portrait, { actor, request, params: null });
}

export default function PortraitPage() {
  return <PicturePage {...useLoaderData<typeof loader>()} />;
}
