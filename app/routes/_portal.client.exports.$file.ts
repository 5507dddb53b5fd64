import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { can } from "~/access/policy";
import { requireMember } from "~/features/auth/guards.server";
import { PORTAL_EXPORTS } from "~/features/exports/registry.server";
import { renderExport } from "~/features/exports/render-export.server";
import { respond } from "~/platform/respond.server";
import { orNotFound } from "~/platform/responses.server";

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "organization.view");
  const requested = orNotFound(PORTAL_EXPORTS.get(params.file ?? "") ?? null);
  if (!can(actor, requested.ability)) throw new Response(null, { status: 403, statusText: "Access Denied" });
  return respond(context, await renderExport(context, actor, requested));
}
