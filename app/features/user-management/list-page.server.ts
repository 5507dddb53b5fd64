import { hasRecentProof } from "~/features/auth/confirm-identity.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { resendInvitation, revokeInvitation } from "~/features/invitations/sending.server";
import { userPath } from "~/features/users/model";
import { withParams } from "~/lib/addresses";
import { safePath } from "~/lib/safe-path";
import type { ListRequest } from "~/lists/define-rows.server";
import type { ListRead } from "~/lists/model";
import { RowForm } from "~/lists/selection.server";
import type { Ctx } from "~/platform/context.server";
import { type FormAction, formActions, reasonOf } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { type ActionResult, done, invalid } from "~/platform/responses.server";
import { changeUserRole, RoleForm, UserIdForm } from "./commands.server";
import { type UserFilter, userList } from "./definition";
import { userRows } from "./definition.server";
import {
  INVITATION_GONE,
  invitationError,
  invitationResent,
  invitationRevoked,
  ROLE_NOT_UPDATED,
  ROLE_UPDATED,
  roleError,
  roleUnchanged,
} from "./labels";
import type { ListedUser, UserCounts } from "./model";
import { countInvited, countUsers } from "./queries.server";

export type UserListRead = ListRead<ListedUser> & { counts: UserCounts; invited: { count: number; isMore: boolean } };

export async function readUserList({ db }: Pick<Ctx, "db">, request: ListRequest<UserFilter>): Promise<UserListRead> {
  const [counts, invited, read] = await Promise.all([countUsers(db), countInvited(db), userRows.read(db, request)]);
  return { ...read, counts, invited };
}

export const USER_LIST_PURPOSE = "user-list";

export type RowRejection = { rejection: string };

const reject = (rejection: string): ActionResult<RowRejection> => invalid({ rejection });

const listOf = ({ fields }: PostedForm): string => safePath(fields.return_to, ["admin"], userList.path);

const invitationButton = (
  command: typeof resendInvitation | typeof revokeInvitation,
  message: (email: string) => { title: string; message: string },
): FormAction<StaffActor, null, RowRejection, { id: string }> => ({
  ability: "user.invite",
  purpose: USER_LIST_PURPOSE,
  form: UserIdForm,
  invalid: (problem) => reject(reasonOf(problem, INVITATION_GONE)),
  run: async (ctx, actor, { input: { id: userId }, ...posted }) => {
    const pressed = await command(ctx, actor, { userId });
    if (!pressed.ok) return reject(invitationError(pressed.code));
    return done({ to: listOf(posted), flash: { kind: "success", ...message(pressed.value.email) } });
  },
});

export const userListActions = formActions<StaffActor, null, RowRejection>({ reading: { lists: ["role"] } })({
  role: {
    ability: "user.change_role",
    purpose: USER_LIST_PURPOSE,
    form: RowForm,
    failed: ROLE_NOT_UPDATED,
    invalid: (problem) => reject(reasonOf(problem, ROLE_NOT_UPDATED)),
    run: async (ctx, actor, { input: { id, position }, nonce, ...posted }) => {
      const { data } = RoleForm.safeParse({ role: posted.lists.role?.[position] });
      if (!data) return reject(ROLE_NOT_UPDATED);
      const { role } = data;
      const list = listOf(posted);
      // The page of the person asks for the proof of identity in the form itself, so that the choice is kept.
      if (!hasRecentProof(ctx, actor)) return done({ to: withParams(userPath(id), { do: "role", role, from: list }) });
      const changed = await changeUserRole(ctx, actor, { userId: id, role, nonce });
      if (!changed.ok) return reject(roleError(changed.code));
      const to = `${list}#${id}`;
      return changed.value.changed
        ? done({ to, flash: { kind: "success", ...ROLE_UPDATED } })
        : done({ to, flash: { kind: "info", ...roleUnchanged(role) }, unchanged: true });
    },
  },
  resend: invitationButton(resendInvitation, invitationResent),
  revoke: invitationButton(revokeInvitation, invitationRevoked),
});
