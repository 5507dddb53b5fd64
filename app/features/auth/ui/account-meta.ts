import type { MetaDescriptor } from "@remix-run/cloudflare";
import { brandIn } from "~/features/settings/brand";

/** The title of a page of an account; one whose form was not accepted says so first. */
export const accountMeta = (
  matches: Parameters<typeof brandIn>[0],
  title: string,
  hasErrors: boolean,
): MetaDescriptor[] => [
  { title: `${hasErrors ? "Error: " : ""}${title} | ${brandIn(matches).name}` },
  { name: "robots", content: "noindex" },
];
