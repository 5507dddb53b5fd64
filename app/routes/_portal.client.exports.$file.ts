import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireMember } from "~/features/auth/guards.server";
import { findExport, PORTAL_EXPORTS } from "~/features/exports/registry.server";
import { renderExport } from "~/features/exports/render-export.server";
import { respond } from "~/platform/respond.server";
import { orNotFound } from "~/platform/route-responses.server";

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireMember(context, "member.export");
  const requested = orNotFound(findExport(actor, params.file ?? "", PORTAL_EXPORTS));
  return respond(context, await renderExport(context, actor, requested));
}
