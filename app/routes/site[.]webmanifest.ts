import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { manifestFile } from "~/features/site/brand-files.server";

export async function loader({ context }: LoaderFunctionArgs) {
  return manifestFile(context);
}
