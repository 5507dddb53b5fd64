import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { keepingLoader } from "~/live/page-refresh";

export { AreaError as ErrorBoundary } from "~/ui/error-page";
export { revalidateWhenSaved as shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction = (page) => adminTitle(page, "");

export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "submission.view");
  const { status, text } = context.unknownAddress;
  throw text ? json(text, { status }) : new Response(null, { status });
}

export default function NotFoundPage() {
  return null;
}
