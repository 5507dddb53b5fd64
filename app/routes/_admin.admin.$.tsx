import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";

export { clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "");

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "submission.view");
  const { status, text } = context.unknownAddress;
  throw text ? json(text, { status }) : new Response(null, { status });
}

export default function NotFoundPage() {
  return null;
}
