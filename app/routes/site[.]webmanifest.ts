import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { manifestFile } from "~/features/icons/brand-file.server";

export async function loader({ context }: LoaderFunctionArgs) {
  return manifestFile(context);
}
