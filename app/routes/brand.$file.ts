import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { brandFile } from "~/features/icons/brand-file.server";
import { orNotFound } from "~/platform/route-responses.server";

export async function loader({ context, params }: LoaderFunctionArgs) {
  return orNotFound(await brandFile(context, params.file));
}
