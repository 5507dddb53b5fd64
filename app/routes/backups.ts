import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/cloudflare";
import { listForFetch, takeProof } from "~/features/backup/fetch.server";

export async function loader({ context, request }: LoaderFunctionArgs) {
  return listForFetch(context, request);
}

export async function action({ context, request }: ActionFunctionArgs) {
  return takeProof(context, request);
}
