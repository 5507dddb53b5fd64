import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { organizationAudience } from "~/access/live-events";
import { requireMember } from "~/features/auth/guards.server";
import { upgradeToHub } from "~/live/upgrade.server";
import { orNotFound } from "~/platform/responses.server";

export async function loader({ context, request }: LoaderFunctionArgs) {
  const { membership } = await requireMember(context, "organization.view");
  const { organizationId } = membership;
  const asked = context.request.url.searchParams.get("organization") ?? organizationId;
  // The page is from before a switch in another tab.
  orNotFound(asked === organizationId || null);
  return upgradeToHub(context, request, organizationAudience(organizationId));
}
