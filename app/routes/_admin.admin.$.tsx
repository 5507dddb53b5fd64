import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { rootBrand } from "~/features/settings/brand";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { shouldRevalidate } from "~/ui/not-saved";

export const meta: MetaFunction = ({ matches }) => [{ title: `Page Not Found | ${rootBrand(matches).name} Admin` }];

/** Answers every address below that belongs to no other route, with 404. */
export async function loader({ context }: LoaderFunctionArgs) {
  await requireStaff(context, "submission.view");
  throw new Response(null, { status: 404 });
}

export default function NotFoundPage() {
  return null;
}
