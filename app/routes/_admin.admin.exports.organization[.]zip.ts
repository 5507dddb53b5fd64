import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { exportOrganization } from "~/features/exports/organization-archive.server";
import { respond } from "~/platform/respond.server";

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "organization.delete");
  const { searchParams } = context.request.url;
  const asked = { id: searchParams.get("organization") ?? "", after: searchParams.get("after") ?? "" };
  return respond(context, await exportOrganization(context, actor, asked));
}
