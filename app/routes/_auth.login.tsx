import type { ActionFunctionArgs, HeadersArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { loadSignInPage, signInHeaders } from "~/features/auth/sign-in-page.server";
import { answerSignIn } from "~/features/auth/sign-in-steps.server";
import { signInMeta } from "~/features/auth/ui/sign-in-meta";
import { SignInScreen } from "~/features/auth/ui/sign-in-screen";

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
