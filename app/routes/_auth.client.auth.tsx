import type { ActionFunctionArgs, HeadersArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { signInMeta } from "~/features/auth/ui/account-meta";
import { loadSignInPage, signInHeaders } from "~/features/sign-in/sign-in-page.server";
import { answerSignIn } from "~/features/sign-in/sign-in-steps.server";
import { SignInScreen } from "~/features/sign-in/ui/sign-in-screen";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => signInMeta(matches, data);

export async function loader({ context, request }: LoaderFunctionArgs) {
  return loadSignInPage(context, request);
}

export async function action({ context, request }: ActionFunctionArgs) {
  return answerSignIn(context, request);
}

export function headers(args: HeadersArgs) {
  return signInHeaders(args);
}

export default function SignInPage() {
  return <SignInScreen page={useLoaderData<typeof loader>()} refusal={useActionData<typeof action>()} />;
}
