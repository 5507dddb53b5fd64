import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { requireClient } from "~/features/auth/guards.server";
import { portalTitle } from "~/features/settings/brand";

export { clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => portalTitle(page, "");

export async function loader({ context }: LoaderFunctionArgs) {
  await requireClient(context);
  const { status, text } = context.unknownAddress;
  throw text ? json(text, { status }) : new Response(null, { status });
}

export default function NotFoundPage() {
  return null;
}
