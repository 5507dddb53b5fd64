import { isStaffRole, isVerifiedStaff } from "~/access/model";
import { ADMIN_HOME_PATH, PORTAL_HOME_PATH } from "~/lib/addresses";
import { rulesFor } from "~/lib/areas";
import { describeError } from "~/lib/describe-error";
import type { Ctx } from "./context.server";

/** Renders a page of the product. */
type Render = (request: Request, ctx: Ctx) => Promise<Response>;

/**
 * Renders a 403 or 404 without a page (a missing file, a refused area) inside the layout of an area that the person may
 * open: the admin area for its staff, and the portal for everybody else. The page is that of an unknown address there.
 * Returns null where there is no such layout, or it cannot be rendered.
 */
export async function errorInLayout(ctx: Ctx, status: number, render: Render): Promise<Response | null> {
  const { signedIn, request } = ctx;
  const { area } = rulesFor(request.url.pathname);
  if (!signedIn || (area !== "admin" && area !== "portal") || (status !== 403 && status !== 404)) return null;
  const opensAdmin = isStaffRole(signedIn.role) && isVerifiedStaff(signedIn);
  const home = opensAdmin && area === "admin" ? ADMIN_HOME_PATH : PORTAL_HOME_PATH;
  const unknownAddress = new Request(new URL(`${home}/-`, request.url));
  const reportFailure = (error: unknown) =>
    ctx.log("error", { event: "error_in_layout_failed", request_id: request.id, error: describeError(error) });
  try {
    const page = await render(unknownAddress, { ...ctx, reportFailure, unknownAddressStatus: status });
    return page.status === status && page.body ? page : null;
  } catch (error) {
    reportFailure(error);
    return null;
  }
}
