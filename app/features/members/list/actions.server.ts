import type { StaffActor } from "~/features/auth/guards.server";
import { safePath } from "~/lib/safe-path";
import { RowForm } from "~/lists/row-form.server";
import { type ActionResult, done, invalid } from "~/platform/action-result";
import { formActions } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { changeMemberRole } from "../change-member-role.server";
import type { MembershipResult } from "../change-membership.server";
import {
  MEMBERSHIP_NOT_UPDATED,
  MEMBERSHIP_UPDATED,
  membershipFailure,
  ROLE_LABELS,
  STATUS_LABELS,
  unchanged,
} from "../copy";
import { RoleChoice, StatusChoice } from "../forms.server";
import { invitationActions } from "../invitation-actions.server";
import { setMemberStatus } from "../set-member-status.server";
import { MEMBERS_PATH } from "./definition";

/** Names the purpose of the form token that the rows share. */
export const MEMBERS_PURPOSE = "members";

type Rejection = { rejection: string };

/** Returns the address of the list that a form was posted from, or of the unfiltered list. */
const listOf = ({ fields }: PostedForm): string => safePath(fields.return_to, ["admin"], MEMBERS_PATH);

const reject = (rejection: string): ActionResult<Rejection> => invalid({ rejection });
const notUpdated = () => reject(MEMBERSHIP_NOT_UPDATED);

/** Handles the forms of the rows: the choice of a role or a status, and the buttons of an invitation. */
export const memberActions = formActions<StaffActor, null, Rejection>({ reading: { lists: ["role", "status"] } })({
  role: {
    ability: "member.change",
    purpose: MEMBERS_PURPOSE,
    form: RowForm,
    invalid: notUpdated,
    run: async (ctx, actor, { input: { id, position }, ...posted }) => {
      const { data: role } = RoleChoice.safeParse(posted.lists.role?.[position]);
      if (!role) return notUpdated();
      const changed = await changeMemberRole(ctx, actor, { membershipId: id, organizationId: null, role });
      return answer(changed, { posted, id, label: ROLE_LABELS[role] });
    },
  },
  status: {
    ability: "member.change",
    purpose: MEMBERS_PURPOSE,
    form: RowForm,
    invalid: notUpdated,
    run: async (ctx, actor, { input: { id, position }, ...posted }) => {
      const { data: status } = StatusChoice.safeParse(posted.lists.status?.[position]);
      if (!status) return notUpdated();
      const changed = await setMemberStatus(ctx, actor, { membershipId: id, organizationId: null, status });
      return answer(changed, { posted, id, label: STATUS_LABELS[status] });
    },
  },
  ...invitationActions<StaffActor>({
    purpose: MEMBERS_PURPOSE,
    targetOf: (_actor, membershipId) => ({ membershipId }),
    back: listOf,
  }),
});

/** Returns to the row, with a message that says what has become of it. */
function answer(
  changed: MembershipResult,
  { posted, id, label }: { posted: PostedForm; id: string; label: string },
): ActionResult<Rejection> {
  if (!changed.ok) return reject(membershipFailure(changed.code, MEMBERSHIP_NOT_UPDATED));
  const to = `${listOf(posted)}#${id}`;
  if (!changed.value.changed) return done({ to, flash: { kind: "info", ...unchanged(label) }, unchanged: true });
  return done({ to, flash: { kind: "success", ...MEMBERSHIP_UPDATED } });
}
