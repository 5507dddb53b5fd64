import { json } from "@remix-run/cloudflare";
import { type Actor, isStaffRole, isVerifiedStaff, lacksRequiredMfa, type StaffRole } from "~/access/model";
import { type Ability, can } from "~/access/policy";
import { getSettings } from "~/features/settings/queries.server";
import { CONFIRM_IDENTITY_PATH, MFA_PATH, PASSWORD_UPDATE_PATH, pagePath, withRedirectTo } from "~/lib/addresses";
import { rulesFor } from "~/lib/areas";
import type { ErrorText } from "~/lib/error-texts";
import type { Ctx, CurrentMembership, SignedIn } from "~/platform/context.server";
import { redirectWithin } from "~/platform/responses.server";
import { hasRecentProof } from "./confirm-identity.server";
import { ACCESS_RESTRICTED, NO_ORGANIZATION, RESTRICTION, RESTRICTIONS, suspended } from "./labels";
import { listSuspensions } from "./queries.server";
import { touchSession } from "./sessions.server";

export type StaffActor = SignedIn & Actor & { role: StaffRole };

/** Always loads a new document, without client state. */
export function redirectToSignIn(ctx: Pick<Ctx, "request">): Response {
  const { url } = ctx.request;
  return redirectWithin(withRedirectTo(rulesFor(url.pathname).signInPath, pagePath(url)), {
    status: 302,
    newDocument: true,
  });
}

/** Every loader and action of a signed-in area begins with a guard: each can be requested without its layout. */
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
  throw redirectWithin(MFA_PATH, { newDocument: true });
}

export async function requireAccount(context: Ctx): Promise<SignedIn> {
  const { signedIn, request } = context;
  if (!signedIn) throw request.method === "GET" ? redirectToSignIn(context) : new Response(null, { status: 401 });
  if (signedIn.mustChangePassword) throw redirectWithin(PASSWORD_UPDATE_PATH, { newDocument: true });
  touchSession(context);
  return signedIn;
}

export async function requireStepUp(context: Ctx): Promise<SignedIn> {
  const signedIn = await requireAccount(context);
  if (hasRecentProof(context, signedIn)) return signedIn;
  throw redirectWithin(withRedirectTo(CONFIRM_IDENTITY_PATH, pagePath(context.request.url)), { newDocument: true });
}

/** Everyone else who is signed in gets the same 403, whatever is missing. */
export async function requireStaff(context: Ctx, ability: Ability): Promise<StaffActor> {
  const signedIn = await requireUser(context);
  const actor = staffActor(signedIn, ability);
  if ("reason" in actor) throw denied(context, signedIn, actor);
  return actor;
}

function staffActor(signedIn: SignedIn, ability: Ability): StaffActor | Denial {
  const { role } = signedIn;
  if (!isStaffRole(role)) return { ability, reason: "role" };
  if (!isVerifiedStaff(signedIn)) return { ability, reason: "factor" };
  // In the admin area only the staff role counts; a membership of an organization adds no abilities.
  const actor: StaffActor = { ...signedIn, role, membership: null };
  return can(actor, ability) ? actor : { ability, reason: "ability" };
}

/** In the portal only the membership counts: staff have no more rights there than others. */
export type ClientActor = SignedIn & Actor & { role: "user" };
export type MemberActor = ClientActor & { membership: CurrentMembership };

export async function requireClient(context: Ctx): Promise<ClientActor> {
  return { ...(await requireUser(context)), role: "user" };
}

export type OpenAreas = { admin: StaffActor | null; portal: MemberActor | null };

/**
 * Returns which frames a page outside both areas may have around it for somebody whom `requireAccount` has admitted:
 * those of the areas whose guards would admit them, and that of the portal only with an organization to show.
 */
export function openAreas(context: Pick<Ctx, "now">, signedIn: SignedIn): OpenAreas {
  if (lacksRequiredMfa(signedIn, context.now())) return { admin: null, portal: null };
  const { membership } = signedIn;
  const staff = staffActor(signedIn, "admin.open");
  return { admin: "reason" in staff ? null : staff, portal: membership && { ...signedIn, role: "user", membership } };
}

/** The others get a 403 that says what is missing. */
export async function requireMember(context: Ctx, ability: Ability): Promise<MemberActor> {
  const actor = await requireClient(context);
  const { membership } = actor;
  if (membership === null) throw restricted(await noOrganization(context, actor));
  if (!can(actor, ability, membership)) {
    logDenial(context, actor, { ability, reason: "ability" });
    throw restricted({ title: ACCESS_RESTRICTED, text: RESTRICTIONS[ability] ?? RESTRICTION });
  }
  return { ...actor, membership };
}

async function noOrganization({ db }: Pick<Ctx, "db">, { userId }: SignedIn): Promise<ErrorText> {
  const [[organization], { signUpPolicy }] = await Promise.all([listSuspensions(db, userId), getSettings(db)]);
  const { create, join } = NO_ORGANIZATION.ways;
  const links = signUpPolicy === "invite_only" ? [join] : [create, join];
  if (organization === undefined) return { title: NO_ORGANIZATION.title, text: NO_ORGANIZATION.text, links };
  const { title, text } = suspended(organization);
  return { title: NO_ORGANIZATION.title, text: `${title} ${text}`, links };
}

const restricted = (text: ErrorText): Response => json(text, { status: 403 });

type Denial = { ability: Ability; reason: "role" | "factor" | "ability" };

function logDenial(
  { log, request }: Pick<Ctx, "request" | "log">,
  { userId, role }: SignedIn,
  { ability, reason }: Denial,
): void {
  const path = request.url.pathname;
  log("warn", { event: "denied", request_id: request.id, path, user_id: userId, role, ability, reason });
}

function denied(context: Pick<Ctx, "request" | "log">, signedIn: SignedIn, denial: Denial): Response {
  logDenial(context, signedIn, denial);
  return new Response(null, { status: 403, statusText: "Access Denied" });
}
