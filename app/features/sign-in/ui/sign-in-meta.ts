import type { MetaFunction } from "@remix-run/cloudflare";
import { accountMeta } from "~/features/account/ui/account-meta";
import { ENROLLMENT_TITLE } from "~/features/auth/copy";
import type { SignInState } from "~/features/auth/model";
import type { SignInPage } from "../model";

const TITLES: Record<SignInState["at"], string> = {
  credentials: "Sign in",
  challenge: "Multi-Factor Authentication",
  setup_required: ENROLLMENT_TITLE,
  reset_request: "Reset your password",
  password_update: "Choose a new password",
  sign_up: "Create Account",
  check_email: "Check Your Email",
  signed_in: "Sign in",
};

/**
 * Returns the document title for the state of the sign-in, the same at every URL of the screen, and the canonical
 * address: `/login` is the screen of `/auth`.
 */
export const signInMeta: MetaFunction = ({ data, matches, location }) => {
  const page = data as SignInPage | undefined;
  const layout = matches.find(({ id }) => id === "routes/_auth")?.data as { origin: string } | undefined;
  const path = location.pathname === "/client/auth" ? "/client/auth" : "/auth";
  return [
    ...accountMeta(matches, TITLES[page?.state.at ?? "credentials"], page?.hasErrors ?? false),
    ...(layout ? [{ tagName: "link", rel: "canonical", href: layout.origin + path }] : []),
  ];
};
