import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireStaff } from "~/features/auth/guards.server";
import { exportPerson } from "~/features/privacy/person/export-person.server";
import { respond } from "~/platform/respond.server";

export async function loader({ context }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "privacy.manage");
  return respond(context, await exportPerson(context, actor, context.request.url.searchParams.get("person") ?? ""));
}
