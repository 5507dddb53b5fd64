import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { brandFile } from "~/features/site/brand-files.server";
import { orNotFound } from "~/platform/responses.server";

export async function loader({ context, params }: LoaderFunctionArgs) {
  return orNotFound(await brandFile(context, params.file));
}
