import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { can } from "~/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { COMPUTED_FILES } from "~/features/exports/computed-files.server";
import { findExport } from "~/features/exports/registry.server";
import { renderExport } from "~/features/exports/render-export.server";
import { respond } from "~/platform/respond.server";
import { orNotFound } from "~/platform/responses.server";

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "admin.open");
  const file = params.file ?? "";
  const computed = COMPUTED_FILES.get(file);
  const requested = computed ?? orNotFound(findExport(actor, file));
  if (!can(actor, requested.ability)) throw new Response(null, { status: 403, statusText: "Access Denied" });
  return respond(
    context,
    "render" in requested ? await requested.render(context, actor) : await renderExport(context, actor, requested),
  );
}
