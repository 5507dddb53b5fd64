import type { MemberActor } from "~/features/auth/guards.server";
import { otherOrganization } from "~/features/organizations/same-organization";
import { type ActionResult, done, notFound } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { membershipFailure } from "../copy";
import { removeMember } from "../remove-member.server";
import { MEMBER_NOT_REMOVED, MEMBER_REMOVED } from "./copy";
import { TEAM_PATH } from "./definition";

/** Names the purpose of the form token of the page that asks before a colleague is removed. */
export const TEAM_REMOVAL_PURPOSE = "team-removal";

const backWithError = (message: string): ActionResult<null> =>
  done({ to: TEAM_PATH, flash: { kind: "error", title: "Error", message } });

/** Removes a colleague from the organization once it is confirmed. */
export const teamRemovalActions = formActions<MemberActor, { membershipId: string }, null>({
  intentField: null,
  conflict: otherOrganization,
})({
  remove: {
    ability: "member.change",
    purpose: TEAM_REMOVAL_PURPOSE,
    invalid: () => backWithError(MEMBER_NOT_REMOVED),
    run: async (ctx, actor, { params: { membershipId } }) => {
      const { organizationId } = actor.membership;
      const removed = await removeMember(ctx, actor, { membershipId, organizationId });
      if (removed.ok) return done({ to: TEAM_PATH, flash: { kind: "success", ...MEMBER_REMOVED } });
      if (removed.code === "not_found") return notFound();
      return backWithError(membershipFailure(removed.code, MEMBER_NOT_REMOVED));
    },
  },
});
