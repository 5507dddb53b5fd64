import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { requireUser } from "~/features/auth/guards.server";
import { rootBrand } from "~/features/settings/brand";

export { AreaError as ErrorBoundary } from "~/ui/area-error";

export const meta: MetaFunction = ({ matches }) => [{ title: `Page Not Found | ${rootBrand(matches).name} Portal` }];

/** Answers every address below that belongs to no other route, with 404. */
export async function loader({ context }: LoaderFunctionArgs) {
  await requireUser(context);
  throw new Response(null, { status: 404 });
}

export default function NotFoundPage() {
  return null;
}
