import type { MetaDescriptor } from "@remix-run/cloudflare";
import { brand } from "~/content/brand";
import { SETUP_REQUIRED } from "../copy";
import type { SignInState } from "../model";

const TITLES: Record<SignInState["at"], string> = {
  credentials: "Sign in",
  challenge: "Multi-Factor Authentication",
  setup_required: SETUP_REQUIRED.title,
  signed_in: "Sign in",
};

/** The window's title by how far the sign-in has come, the same at every address of the screen. */
export const signInMeta = (state: SignInState | undefined): MetaDescriptor[] => [
  { title: `${TITLES[state?.at ?? "credentials"]} | ${brand.name}` },
  { name: "robots", content: "noindex" },
];
