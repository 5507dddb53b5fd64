import type { MetaDescriptor } from "@remix-run/cloudflare";
import { rootBrand } from "~/features/settings/brand";

/** Returns the title of an account page, with "Error: " in front when its form was rejected. */
export const accountMeta = (
  matches: Parameters<typeof rootBrand>[0],
  title: string,
  hasErrors: boolean,
): MetaDescriptor[] => [
  { title: `${hasErrors ? "Error: " : ""}${title} | ${rootBrand(matches).name}` },
  { name: "robots", content: "noindex" },
];
