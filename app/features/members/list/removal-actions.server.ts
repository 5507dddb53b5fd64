import type { StaffActor } from "~/features/auth/guards.server";
import { type ActionResult, done } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { MEMBERSHIP_NOT_REMOVED, MEMBERSHIP_REMOVED, membershipFailure } from "../copy";
import { removeMember } from "../remove-member.server";
import { memberList, removalPath } from "./definition";

/** Names the purpose of the form token of the page that asks before a member is removed. */
export const REMOVAL_PURPOSE = "member-removal";

/** Holds the membership of an address, the list to return to, and the address itself. */
type Removal = { membershipId: string; back: string; path: string };

/** Reads the address of the page, whose id is checked. */
export function removalAt({ searchParams }: URL, membershipId: string): Removal {
  const filter = memberList.readFilter(searchParams);
  return { membershipId, back: memberList.pathTo(filter), path: removalPath(membershipId, memberList.query(filter)) };
}

const backWithError = ({ back }: Removal, message: string): ActionResult<null> =>
  done({ to: back, flash: { kind: "error", title: "Error", message } });

/** Removes a member from their organization once staff have confirmed it, and returns to the list. */
export const removalActions = formActions<StaffActor, Removal, null>({ intentField: null })({
  remove: {
    ability: "member.change",
    purpose: REMOVAL_PURPOSE,
    invalid: (_problem, { params }) => backWithError(params, MEMBERSHIP_NOT_REMOVED),
    run: async (ctx, actor, { params }) => {
      const { membershipId, back } = params;
      const removed = await removeMember(ctx, actor, { membershipId, organizationId: null });
      if (!removed.ok) return backWithError(params, membershipFailure(removed.code, MEMBERSHIP_NOT_REMOVED));
      return done({ to: back, flash: { kind: "success", ...MEMBERSHIP_REMOVED } });
    },
  },
});
