import { redirect, redirectDocument } from "@remix-run/cloudflare";
import { type Actor, isStaffRole, isVerifiedStaff, type StaffRole } from "~/access/model";
import { type Ability, can } from "~/access/policy";
import { rulesFor } from "~/lib/areas";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { isFresh } from "./confirm-identity.server";
import { lacksRequiredMfa } from "./factors/mfa-requirement";
import { touchSession } from "./sessions/touch-session.server";

/** A signed-in admin or technician with a proved second factor, as commands and queries receive them. */
export type StaffActor = SignedIn & Actor & { role: StaffRole };

/** Where someone whose password must be changed first is sent from every other address. */
const PASSWORD_UPDATE_PATH = "/login?mode=update";

/** Where someone who must have a second factor and has none is sent from every other address. */
const MFA_SETUP_PATH = "/profile/mfa";

/** To the sign-in page of the area, with the way back. Always a new document: signing in starts from a clean page. */
export function redirectToSignIn(ctx: Ctx): Response {
  const { pathname, searchParams } = ctx.request.url;
  const query = new URLSearchParams(searchParams);
  // The framework's own mark of a request for data; the way back leads to the page.
  query.delete("_data");
  const path = query.size > 0 ? `${pathname}?${query}` : pathname;
  return redirectDocument(`${rulesFor(pathname).signInPath}?redirectTo=${encodeURIComponent(path)}`);
}

/**
 * The guard of everything that needs an account. Every loader and action of a signed-in area opens with one of these
 * guards: a layout's guard protects the layout only, because each loader can be asked for alone.
 */
export async function requireUser(context: Ctx): Promise<SignedIn> {
  const signedIn = await requireAccount(context);
  if (!lacksRequiredMfa(signedIn, context.now())) return signedIn;
  const { request, log } = context;
  log("warn", {
    event: "factor_missing",
    request_id: request.id,
    path: request.url.pathname,
    user_id: signedIn.userId,
  });
  throw redirect(MFA_SETUP_PATH, 303);
}

/**
 * The guard of the pages on which people bring their own sign-in in order: open also to those who must set up a second
 * factor before anything else is open to them.
 */
export async function requireAccount(context: Ctx): Promise<SignedIn> {
  const { signedIn, request } = context;
  if (!signedIn) throw request.method === "GET" ? redirectToSignIn(context) : new Response(null, { status: 401 });
  if (signedIn.mustChangePassword) throw redirect(PASSWORD_UPDATE_PATH, 303);
  touchSession(context);
  return signedIn;
}

/**
 * For what needs more than a session: a proof of identity of the last ten minutes. Without one the person is led to the
 * page that asks for it, and back to the page they came from. Asked after the guard of the route, never instead of it.
 */
export async function requireStepUp(context: Ctx): Promise<SignedIn> {
  const signedIn = await requireAccount(context);
  if (isFresh(context, signedIn)) return signedIn;
  const { pathname, searchParams } = context.request.url;
  const query = new URLSearchParams(searchParams);
  query.delete("_data");
  const path = query.size > 0 ? `${pathname}?${query}` : pathname;
  throw redirect(`/profile/confirm?redirectTo=${encodeURIComponent(path)}`, 303);
}

/**
 * The guard of the office: staff with a proved second factor who hold the ability. Everyone else who is signed in is
 * told so (403), in the same words whatever is missing.
 */
export async function requireStaff(context: Ctx, ability: Ability): Promise<StaffActor> {
  const signedIn = await requireUser(context);
  const { role } = signedIn;
  if (!isStaffRole(role)) throw denied(context, signedIn, { ability, reason: "role" });
  if (!isVerifiedStaff(signedIn)) throw denied(context, signedIn, { ability, reason: "factor" });
  // The office is entered as staff; an organization one also belongs to adds nothing to it.
  const actor: StaffActor = { ...signedIn, role, membership: null };
  if (!can(actor, ability)) throw denied(context, signedIn, { ability, reason: "ability" });
  return actor;
}

type Denial = { ability: Ability; reason: "role" | "factor" | "ability" };

function denied({ log, request }: Ctx, { userId, role }: SignedIn, { ability, reason }: Denial): Response {
  const path = request.url.pathname;
  log("warn", { event: "denied", request_id: request.id, path, user_id: userId, role, ability, reason });
  return new Response(null, { status: 403, statusText: "Access Denied" });
}
