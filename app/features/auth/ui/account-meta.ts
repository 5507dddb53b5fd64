import type { MetaDescriptor } from "@remix-run/cloudflare";
import { brandIn } from "~/features/settings/brand";
import { SETUP_TITLE } from "../copy";
import type { SignInState } from "../model";

/** What a route's `meta` is called with, as far as it is needed here. */
type Matches = Parameters<typeof brandIn>[0];

const TITLES: Record<SignInState["at"], string> = {
  credentials: "Sign in",
  challenge: "Multi-Factor Authentication",
  setup_required: SETUP_TITLE,
  reset_request: "Reset your password",
  password_update: "Choose a new password",
  sign_up: "Create Account",
  check_email: "Check Your Email",
  signed_in: "Sign in",
};

/** The window's title by how far the sign-in has come, the same at every address of the screen. */
export const signInMeta = (
  matches: Matches,
  page: { state: SignInState; refused: boolean } | undefined,
): MetaDescriptor[] => accountMeta(matches, TITLES[page?.state.at ?? "credentials"], page?.refused ?? false);

/** The title of a page of an account; a refused form says so first. */
export const accountMeta = (matches: Matches, title: string, refused: boolean): MetaDescriptor[] => [
  { title: `${refused ? "Error: " : ""}${title} | ${brandIn(matches).name}` },
  { name: "robots", content: "noindex" },
];
