import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { accountMeta } from "~/features/account/account-page";
import { expectNotSetUp, loadSetupPage, setupActions } from "~/features/setup/setup.server";
import { SetupForm } from "~/features/setup/setup-form";
import { runFormAction } from "~/platform/form-actions.server";

export { retryHeaders as headers } from "~/ui/form";

export const meta: MetaFunction<typeof loader> = (page) =>
  accountMeta(page, page.data ? "Set up this installation" : "Page Not Found");

export async function loader({ context }: LoaderFunctionArgs) {
  return json(await loadSetupPage(context));
}

export async function action({ context, request }: ActionFunctionArgs) {
  await expectNotSetUp(context);
  return runFormAction(context, setupActions, { actor: null, request, params: null });
}

export default function SetupPage() {
  return <SetupForm {...useLoaderData<typeof loader>()} validationError={useActionData<typeof action>() ?? null} />;
}
