import { json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { requireClient } from "~/features/auth/guards.server";
import { portalTitle } from "~/features/settings/brand";
import { keepingLoader } from "~/live/page-refresh";

export { AreaError as ErrorBoundary } from "~/ui/error-page";
export { revalidateWhenSaved as shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction = (page) => portalTitle(page, "");

export async function loader({ context }: LoaderFunctionArgs) {
  await requireClient(context);
  const { status, text } = context.unknownAddress;
  throw text ? json(text, { status }) : new Response(null, { status });
}

export default function NotFoundPage() {
  return null;
}
