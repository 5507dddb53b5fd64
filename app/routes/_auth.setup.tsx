import type { ActionFunctionArgs, HeadersArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { accountMeta } from "~/features/auth/ui/account-meta";
import { answerSetupPage, loadSetupPage } from "~/features/setup/setup-page.server";
import { SetupForm } from "~/features/setup/ui/setup-form";
import { signInHeaders } from "~/features/sign-in/sign-in-page.server";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  accountMeta(matches, data ? "Set up this installation" : "Page Not Found", data?.refused ?? false);

export async function loader({ context }: LoaderFunctionArgs) {
  return loadSetupPage(context);
}

export async function action({ context, request }: ActionFunctionArgs) {
  return answerSetupPage(context, request);
}

export function headers(args: HeadersArgs) {
  return signInHeaders(args);
}

export default function SetupPage() {
  const { token } = useLoaderData<typeof loader>();
  return <SetupForm token={token} refusal={useActionData<typeof action>() ?? null} />;
}
