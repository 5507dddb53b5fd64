import type { MetaFunction } from "@remix-run/cloudflare";
import { brand } from "~/content/brand";

/** The same words in the window's title at every address of the screen. */
export const signInMeta: MetaFunction = () => [
  { title: `Sign in | ${brand.name}` },
  { name: "robots", content: "noindex" },
];
