import * as z from "zod";
import { ReasonField } from "~/features/audit/record-audit.server";
import { invalidAuthForm } from "~/features/auth/form-errors.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { missingProof } from "~/features/auth/missing-proof.server";
import { userPath } from "~/features/users/subject";
import { absentAsEmpty, type FormValues, type ValidationError } from "~/lib/form";
import { safePath } from "~/lib/safe-path";
import { type ActionResult, done, invalid } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { type FormAction, formActions } from "~/platform/form-actions.server";
import { changeUserRole } from "../change-user-role.server";
import { roleError, roleUnchanged } from "../copy";
import { RoleForm } from "../forms.server";
import type { AccessInput, AccessResult } from "./access-change.server";
import { ACTION_TEXTS, accessError } from "./copy";
import { deactivateUser } from "./deactivate-user.server";
import { endUserSession } from "./end-user-session.server";
import { endUserSessions } from "./end-user-sessions.server";
import { invitationActions } from "./invitation-actions.server";
import type { PersonAction, PersonAnswer } from "./model";
import { listSoleOwnerships } from "./queries.server";
import { reactivateUser } from "./reactivate-user.server";
import { requirePasswordChange } from "./require-password-change.server";
import { resetUserMfa, sendSetupLink } from "./reset-user-mfa.server";
import { unlockUser } from "./unlock-user.server";

/** Names the purpose of the form token of the page. */
export const PERSON_PURPOSE = "user";

type Params = { userId: string };
type FormResult = ActionResult<PersonAnswer>;

const ReasonForm = absentAsEmpty(["reason"], z.object({ reason: ReasonField }));

const ERROR = "Error";

const failed = (errors: ValidationError["errors"], values: FormValues): FormResult =>
  invalid({ title: ERROR, errors, values });

const invalidPersonForm = invalidAuthForm(ERROR);

type Command = (ctx: Ctx, actor: StaffActor, input: AccessInput & { session: string }) => Promise<AccessResult>;

/** Builds the action of a form with a reason: proof of identity, command, back to the page of the person. */
const accessAction = (
  name: PersonAction,
  command: Command,
): FormAction<StaffActor, Params, PersonAnswer, z.output<typeof ReasonForm>> => ({
  ability: "user.manage_access",
  purpose: PERSON_PURPOSE,
  form: ReasonForm,
  invalid: invalidPersonForm,
  run: async (ctx, actor, { input: { reason }, nonce: _nonce, ...posted }) => {
    const { userId } = posted.params;
    const unproven = await missingProof(ctx, actor, { ...posted, values: { reason, role: "" } });
    if (unproven) return unproven;
    const changed = await command(ctx, actor, { userId, reason, session: posted.fields.session ?? "" });
    const to = safePath(posted.fields.from, ["admin"], userPath(userId));
    if (changed.ok) return done({ to, flash: { kind: "success", ...ACTION_TEXTS[name].done } });
    const owned = changed.code === "sole_owner" ? await listSoleOwnerships(ctx.db, userId) : [];
    return failed({ form: accessError(changed.code, owned) }, { reason });
  },
});

/** Handles the forms about an account. Each needs a fresh proof of identity, which the form can hold itself. */
export const personActions = formActions<StaffActor, Params, PersonAnswer>({
  reading: { raw: ["current_password"] },
  secrets: ["current_password", "code"],
})({
  role: {
    ability: "user.change_role",
    purpose: PERSON_PURPOSE,
    form: RoleForm,
    invalid: invalidPersonForm,
    run: async (ctx, actor, { input: { role }, nonce, ...posted }) => {
      const { userId } = posted.params;
      const unproven = await missingProof(ctx, actor, { ...posted, values: { reason: "", role } });
      if (unproven) return unproven;
      const changed = await changeUserRole(ctx, actor, { userId, role, nonce });
      if (!changed.ok) return failed({ form: roleError(changed.code) }, { role });
      const message = changed.value.changed ? ACTION_TEXTS.role.done : roleUnchanged(role);
      const kind = changed.value.changed ? "success" : "info";
      return done({ to: safePath(posted.fields.from, ["admin"], userPath(userId)), flash: { kind, ...message } });
    },
  },
  deactivate: accessAction("deactivate", deactivateUser),
  reactivate: accessAction("reactivate", reactivateUser),
  end_sessions: accessAction("end_sessions", endUserSessions),
  end_session: accessAction("end_session", endUserSession),
  reset_mfa: accessAction("reset_mfa", resetUserMfa),
  setup_link: accessAction("setup_link", sendSetupLink),
  password_change: accessAction("password_change", requirePasswordChange),
  unlock: accessAction("unlock", unlockUser),
  ...invitationActions(PERSON_PURPOSE),
});
