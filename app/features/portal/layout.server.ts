import { isVerifiedStaff } from "~/access/model";
import { can } from "~/access/policy";
import type { ClientActor } from "~/features/auth/guards.server";
import { mfaRequirementNotice } from "~/features/auth/model";
import { countUnread, ownNotifications } from "~/features/notifications/queries.server";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import type { Ctx } from "~/platform/context.server";
import { takeFlash } from "~/platform/flash.server";
import { issueFormToken } from "~/platform/form-token.server";
import { SWITCH_PURPOSE } from "./actions.server";
import { portalNavigation } from "./navigation";
import { findLastEvent } from "./queries.server";

/**
 * Returns what the frame of the portal shows around a page. Without the number of the last event the rest still works.
 */
export async function portalLayoutData(ctx: Ctx, actor: ClientActor) {
  const { membership, organizations } = actor;
  const [lastSeq, unread] = await Promise.all([
    membership && readOrNull(ctx, "last_event_failed", findLastEvent(ctx.db, membership.organizationId)),
    membership && readOrNull(ctx, "unread_failed", countUnread(ctx.db, ownNotifications(actor))),
  ]);
  const plan =
    organizations.find(({ organizationId }) => organizationId === membership?.organizationId)?.plan ?? "none";
  return {
    organization: membership && { id: membership.organizationId, name: membership.organizationName, plan },
    organizations: organizations.map(({ organizationId: id, organizationName: name }) => ({ id, name })),
    lastSeq,
    unread,
    switchToken: issueFormToken(ctx, SWITCH_PURPOSE),
    items: portalNavigation
      .filter(({ ability }) => ability === null || can(actor, ability))
      .map(({ label, path }) => ({ label, path })),
    account: {
      name: actor.fullName,
      email: actor.email,
      isStaff: ctx.signedIn !== null && isVerifiedStaff(ctx.signedIn),
      signOutToken: issueFormToken(ctx, "sign-out"),
    },
    flash: takeFlash(ctx),
    codesUnsaved: actor.codesUnsaved,
    mfaNotice: ctx.signedIn && mfaRequirementNotice(ctx.signedIn, ctx.now()),
  };
}

export type PortalLayoutData = Awaited<ReturnType<typeof portalLayoutData>>;
