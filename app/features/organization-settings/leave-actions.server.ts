import type { MemberActor } from "~/features/auth/guards.server";
import { leaveOrganization } from "~/features/members/leave-organization.server";
import { otherOrganization } from "~/features/organizations/same-organization";
import { PORTAL_HOME_PATH } from "~/lib/addresses";
import { type ActionResult, done } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import { LEAVE_ORGANIZATION, leftOrganization, OWNER_CANNOT_LEAVE } from "./copy";
import { LEAVE_PATH } from "./model";

export const LEAVE_PURPOSE = "leave-organization";

const failed = (message: string): ActionResult<null> =>
  done({ to: LEAVE_PATH, flash: { kind: "error", title: LEAVE_ORGANIZATION, message } });

/** Takes the person out of the organization they work in, once they have confirmed it. */
export const leaveActions = formActions<MemberActor, null, null>({
  intentField: null,
  conflict: otherOrganization,
})({
  leave: {
    purpose: LEAVE_PURPOSE,
    invalid: () => failed("You have not left. Please try again."),
    run: async (ctx, actor) => {
      const left = await leaveOrganization(ctx, actor);
      if (!left.ok && left.code === "owner") return failed(OWNER_CANNOT_LEAVE);
      const message = leftOrganization(actor.membership.organizationName);
      return done({ to: PORTAL_HOME_PATH, flash: { kind: "success", ...message }, newDocument: true });
    },
  },
});
