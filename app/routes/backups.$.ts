import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { readForFetch } from "~/features/backup/fetch.server";

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  return readForFetch(context, request, params["*"] ?? "");
}
