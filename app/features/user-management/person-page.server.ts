import * as z from "zod";
import { type ActivityEntry, activityEntry } from "~/features/audit/activity/activity-entry";
import { ReasonField } from "~/features/audit/record-audit.server";
import { identityRequest, missingProof } from "~/features/auth/confirm-identity.server";
import { invalidAuthForm } from "~/features/auth/forms.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { listOpenSessions } from "~/features/auth/queries.server";
import { withDevices } from "~/features/auth/sessions.server";
import { removeAddressAction } from "~/features/contacts/actions.server";
import { invitationStates } from "~/features/invitations/queries.server";
import { copyInvitationLink, resendInvitation, revokeInvitation } from "~/features/invitations/sending.server";
import { findHeldAddress } from "~/features/mail/delivery-events.server";
import { MEMBERS_PATH } from "~/features/members/definition";
import { getSettings } from "~/features/settings/queries.server";
import { USERS_PATH, userPath } from "~/features/users/model";
import { withParams } from "~/lib/addresses";
import type { Result } from "~/lib/errors";
import { absentAsEmpty, type FormValues, type ValidationError } from "~/lib/form";
import { safePath } from "~/lib/safe-path";
import type { Ctx } from "~/platform/context.server";
import { type FormAction, formActions, reasonOf } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { type ActionResult, done, invalid, page } from "~/platform/responses.server";
import { staffPathOf } from "~/platform/subjects.server";
import {
  type AccessInput,
  type AccessResult,
  changeUserRole,
  deactivateUser,
  endUserSession,
  endUserSessions,
  RoleForm,
  reactivateUser,
  releaseMail,
  requirePasswordChange,
  resetUserMfa,
  sendSetupLink,
  unlockUser,
} from "./commands.server";
import {
  ACTION_TEXTS,
  accessError,
  INVITATION_GONE,
  invitationError,
  invitationResent,
  invitationRevoked,
  MAIL_RELEASED,
  ROLE_NOT_UPDATED,
  roleError,
  roleUnchanged,
} from "./labels";
import { actionsFor, PERSON_ACTIONS, type PersonAction, type PersonAnswer } from "./model";
import {
  findPersonAccount,
  HISTORY_PAGE,
  listHistory,
  listMemberships,
  listSoleOwnerships,
  MEMBERSHIPS_SHOWN,
} from "./queries.server";

export async function readPerson(ctx: Ctx, actor: StaffActor, userId: string) {
  const { db, now, subjects, request } = ctx;
  const { searchParams: query } = request.url;
  const [{ found: account, held }, sessions, memberships, events, invitations, { timeZone: zone }] = await Promise.all([
    findPersonAccount(db, userId, now()).then(async (found) => ({
      found,
      held: found && (await findHeldAddress(ctx, found.email)),
    })),
    listOpenSessions(db, userId, now()).then((open) => withDevices(ctx, open)),
    listMemberships(db, userId),
    listHistory(db, userId, positionIn(query)),
    invitationStates(db, { account: [userId] }, now()),
    getSettings(db),
  ]);
  if (!account) return null;
  const allowed = actionsFor(account, actor.userId);
  const requested = PERSON_ACTIONS.find((action) => action === query.get("do"));
  const open = sessions.map(({ sessionHash: _secret, ...session }) => session);
  return {
    account,
    held,
    zone,
    isOwn: userId === actor.userId,
    allowed,
    invitation: account.status === "pending" ? (invitations.get(userId) ?? null) : null,
    form: requested ?? null,
    isOffered: allowed.some((action) => action === (requested === "end_session" ? "end_sessions" : requested)),
    sessionId: query.get("session"),
    session: open.find(({ id }) => String(id) === query.get("session")) ?? null,
    role: query.get("role"),
    from: safePath(query.get("from"), ["admin"], "") || null,
    identity: identityRequest(ctx, actor),
    token: issueFormToken(ctx, PERSON_PURPOSE),
    sessions: open,
    memberships: memberships.slice(0, MEMBERSHIPS_SHOWN).map((membership) => ({
      ...membership,
      href: staffPathOf(subjects, actor, { type: "organization", id: membership.organizationId }),
    })),
    allMemberships: memberships.length > MEMBERSHIPS_SHOWN ? withParams(MEMBERS_PATH, { q: account.email }) : null,
    history: historyPage(
      events.map((event) => activityEntry(event, (subject) => staffPathOf(subjects, actor, subject))),
    ),
  };
}

const historyPage = (entries: ActivityEntry[]) => ({
  entries: entries.slice(0, HISTORY_PAGE),
  older: entries.length > HISTORY_PAGE ? (entries[HISTORY_PAGE - 1]?.id ?? null) : null,
});

function positionIn(query: URLSearchParams): number {
  const text = query.get("before") ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.MAX_SAFE_INTEGER;
}

type InvitationAction = FormAction<StaffActor, Params, PersonAnswer, unknown>;

const invitationFailed = (sentence: string): ActionResult<PersonAnswer> =>
  invalid({ title: "Error", errors: { form: sentence }, values: {} });

const common = (purpose: string): Pick<InvitationAction, "ability" | "purpose" | "invalid"> => ({
  ability: "user.invite",
  purpose,
  invalid: (problem) => invitationFailed(reasonOf(problem, INVITATION_GONE)),
});

const invitationAction = <Value>(
  command: (
    ctx: Ctx,
    actor: StaffActor,
    target: Params,
  ) => Promise<Result<Value, Parameters<typeof invitationError>[0]>>,
  answer: (value: Value, params: Params) => ActionResult<PersonAnswer>,
): InvitationAction => ({
  ...common(PERSON_PURPOSE),
  run: async (ctx, actor, { params }) => {
    const pressed = await command(ctx, actor, { userId: params.userId });
    return pressed.ok ? answer(pressed.value, params) : invitationFailed(invitationError(pressed.code));
  },
});

const PERSON_PURPOSE = "user";

type Params = { userId: string };

const ReasonForm = absentAsEmpty(["reason"], z.object({ reason: ReasonField }));

const ERROR = "Error";

const failed = (errors: ValidationError["errors"], values: FormValues): ActionResult<PersonAnswer> =>
  invalid({ title: ERROR, errors, values });

const invalidPersonForm = invalidAuthForm(ERROR);

const accessAction = (
  name: PersonAction,
  command: (ctx: Ctx, actor: StaffActor, input: AccessInput & { session: string }) => Promise<AccessResult>,
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
    failed: ROLE_NOT_UPDATED,
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
  release_mail: {
    ...common(PERSON_PURPOSE),
    run: async (ctx, actor, { params: { userId }, nonce }) => {
      const released = await releaseMail(ctx, actor, { userId, nonce });
      if (!released.ok) return failed({ form: accessError(released.code, []) }, {});
      return done({ to: userPath(userId), flash: { kind: "success", ...MAIL_RELEASED } });
    },
  },
  resend: invitationAction(resendInvitation, ({ email }, { userId }) =>
    done({ to: userPath(userId), flash: { kind: "success", ...invitationResent(email) } }),
  ),
  // The account is gone with its invitation.
  revoke: invitationAction(revokeInvitation, ({ email }) =>
    done({ to: USERS_PATH, flash: { kind: "success", ...invitationRevoked(email) } }),
  ),
  copy_link: invitationAction(copyInvitationLink, ({ url }) => page({ title: "", errors: {}, values: {}, link: url })),
  remove_address: removeAddressAction<Params>(({ userId }) => userPath(userId), PERSON_PURPOSE),
});
