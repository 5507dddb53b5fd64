import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { exportPerson } from "~/features/privacy/person-files.server";
import { respond } from "~/platform/respond.server";

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  const { searchParams } = context.request.url;
  const asked = { personId: searchParams.get("person") ?? "", after: searchParams.get("after") ?? "" };
  return respond(context, await exportPerson(context, actor, asked));
}
