import { sql } from "drizzle-orm";
import { organizationAudience } from "~/access/live-events";
import { isVerifiedStaff } from "~/access/model";
import { type Ability, can } from "~/access/policy";
import type { Db } from "~/db/client.server";
import { liveEvents } from "~/db/schema/live";
import type { ClientActor } from "~/features/auth/guards.server";
import { mfaRequirementNotice } from "~/features/auth/model";
import { CLIENT_LETTERS_PATH } from "~/features/letters/model";
import { findHeldAddress } from "~/features/mail/delivery-events.server";
import { TEAM_PATH } from "~/features/members/definition";
import { countUnread, ownNotifications } from "~/features/notifications/queries.server";
import { ORGANIZATION_PATH } from "~/features/organization-settings/model";
import { CLIENT_TICKETS_PATH } from "~/features/tickets/paths";
import { readOrNull } from "~/features/workspace/load-list.server";
import { PORTAL_HOME_PATH } from "~/lib/addresses";
import type { Ctx } from "~/platform/context.server";
import { takeFlash } from "~/platform/flash.server";
import { issueFormToken } from "~/platform/form-token.server";
import { SWITCH_PURPOSE } from "./actions.server";

async function findLastEvent(db: Db, organizationId: string): Promise<number> {
  const { seq } = await db.get<{ seq: number }>(sql`
    SELECT coalesce(max(seq), 0) AS seq FROM ${liveEvents} WHERE audience = ${organizationAudience(organizationId)}`);
  return seq;
}

/**
 * `ability` is what a person must hold to see it; null: everybody. `cardLabel`: how the organization's card on the
 * dashboard calls it; absent: it does not lead there.
 */
type PortalNavigationItem = { label: string; path: string; ability: Ability | null; cardLabel?: string };

/** Each person is shown the entries they may open, and an entry is listed only once its page exists. */
export const portalNavigation: readonly PortalNavigationItem[] = [
  { label: "Dashboard", path: PORTAL_HOME_PATH, ability: null },
  { label: "Tickets", path: CLIENT_TICKETS_PATH, ability: "ticket.view" },
  { label: "Team", path: TEAM_PATH, ability: "member.list", cardLabel: "Manage Team" },
  { label: "Letters", path: CLIENT_LETTERS_PATH, ability: "letter.read" },
  { label: "Organization", path: ORGANIZATION_PATH, ability: "organization.edit", cardLabel: "Organization Settings" },
];

/** Without the number of the last event the rest still works. */
export async function portalLayoutData(ctx: Ctx, actor: ClientActor) {
  const { membership, organizations } = actor;
  const [lastSeq, unread, held] = await Promise.all([
    membership && readOrNull(ctx, "last_event_failed", findLastEvent(ctx.db, membership.organizationId)),
    membership && readOrNull(ctx, "unread_failed", countUnread(ctx.db, ownNotifications(actor))),
    readOrNull(ctx, "held_address_failed", findHeldAddress(ctx, actor.email)),
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
    held,
    mfaNotice: ctx.signedIn && mfaRequirementNotice(ctx.signedIn, ctx.now()),
  };
}

export type PortalLayoutData = Awaited<ReturnType<typeof portalLayoutData>>;
