import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { findExport } from "~/features/exports/registry.server";
import { renderExport } from "~/features/exports/render-export.server";
import { respond } from "~/platform/respond.server";
import { orNotFound } from "~/platform/route-responses.server";

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "admin.open");
  const requested = orNotFound(findExport(actor, params.file ?? ""));
  if (!can(actor, requested.ability)) throw new Response(null, { status: 403, statusText: "Access Denied" });
  return respond(context, await renderExport(context, actor, requested));
}
