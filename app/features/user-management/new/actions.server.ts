import * as z from "zod";
import { PLATFORM_ROLES } from "~/access/model";
import { SENTENCES, TITLES } from "~/features/auth/copy";
import { EmailField, FullNameField } from "~/features/auth/forms.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { missingProof } from "~/features/auth/missing-proof.server";
import { challengeMethod, OTHER_METHOD } from "~/features/auth/model";
import { inviteUser } from "~/features/invitations/sending/invite-user.server";
import { USERS_PATH } from "~/features/users/subject";
import { describeError } from "~/lib/describe-error";
import { absentAsEmpty, type FieldErrors, withoutSecrets } from "~/lib/form";
import { hours, seconds } from "~/lib/time";
import { type ActionResult, done, invalid, mapBody, page, rateLimited, unavailable } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { type FormProblem, formActions } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { CREATE_FAILED, EMAIL_TAKEN, INVITE_FAILED, INVITED_TOO_OFTEN, userCreated, userInvited } from "./copy";
import { type CreateError, createUser } from "./create-user.server";
import { generatePassword, RANDOM_BYTES } from "./generate-password";
import type { NewUserAnswer } from "./model";

/** Names the purpose of the form token of the page. */
export const NEW_USER_PURPOSE = "user-new";

type FormResult = ActionResult<NewUserAnswer>;

const SECRETS = ["password", "current_password", "code", "form_token", "intent"];

const fields = { email: EmailField, full_name: FullNameField, role: z.enum(PLATFORM_ROLES).catch("user") };
const InviteForm = absentAsEmpty(["email", "full_name"], z.object(fields));
const CreateForm = absentAsEmpty(["email", "full_name", "password"], z.object({ ...fields, password: z.string() }));

const methodIn = ({ fields }: PostedForm) => challengeMethod(fields.method);

/** Returns what the form shows again. */
const answer = (posted: PostedForm, changes: Partial<NewUserAnswer> = {}): NewUserAnswer => ({
  error: null,
  values: withoutSecrets(posted.fields, SECRETS),
  password: null,
  method: methodIn(posted),
  ...changes,
});

const rejected = (posted: PostedForm, title: string, errors: FieldErrors): FormResult =>
  invalid(answer(posted, { error: { title, errors } }));

const invalidNewUserForm = (problem: FormProblem, posted: PostedForm): FormResult =>
  problem.code === "token"
    ? rejected(posted, TITLES.security, { form: SENTENCES.form_not_accepted })
    : rejected(posted, TITLES.validation, problem.errors);

/** Asks for the proof of identity where the last one is too old. Null: the form may go on. */
async function askForProof(ctx: Ctx, actor: StaffActor, posted: PostedForm): Promise<FormResult | null> {
  const unproven = await missingProof(ctx, actor, posted);
  return unproven && mapBody(unproven, ({ title, errors }) => answer(posted, { error: { title, errors } }));
}

/** Runs what adds a person. A failure that nobody expected leaves what was typed where it is. */
async function orFailed(ctx: Ctx, posted: PostedForm, message: string, work: Promise<FormResult>): Promise<FormResult> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Response) throw error;
    ctx.log("error", { event: "user_not_added", request_id: ctx.request.id, error: describeError(error) });
    return unavailable(
      ctx.now() + seconds(5),
      answer(posted, { error: { title: "Error", errors: { form: message } } }),
    );
  }
}

function creationFailed(posted: PostedForm, error: CreateError): FormResult {
  switch (error.code) {
    case "email_taken":
      return rejected(posted, TITLES.validation, { email: EMAIL_TAKEN });
    case "denied":
      return rejected(posted, "Error", { form: CREATE_FAILED });
    case "unavailable":
      return unavailable(error.retryAt, answer(posted, { error: { title: "Error", errors: { form: CREATE_FAILED } } }));
    default:
      return rejected(posted, TITLES.validation, { password: SENTENCES[error.code] });
  }
}

/**
 * Handles the two ways to add a person, each with a fresh proof of identity: `invite` sends a link, `create` stores a
 * password that is handed over. `generate` fills that in, `other_method` asks for the other kind of code.
 */
export const newUserActions = formActions<StaffActor, null, NewUserAnswer>({
  reading: { raw: ["password", "current_password"] },
  secrets: SECRETS,
})({
  invite: {
    ability: "user.invite",
    purpose: NEW_USER_PURPOSE,
    form: InviteForm,
    invalid: invalidNewUserForm,
    run: async (ctx, actor, { input: { email, full_name: fullName, role }, ...posted }) => {
      const unproven = await askForProof(ctx, actor, posted);
      if (unproven) return unproven;
      const invite = async (): Promise<FormResult> => {
        const invited = await inviteUser(ctx, actor, { email, fullName, role });
        if (invited.ok) return done({ to: USERS_PATH, flash: { kind: "success", ...userInvited(email) } });
        if (invited.code === "email_taken") return rejected(posted, TITLES.validation, { email: EMAIL_TAKEN });
        if (invited.code === "denied") return rejected(posted, "Error", { form: INVITE_FAILED });
        const error = { title: TITLES.validation, errors: { email: INVITED_TOO_OFTEN } };
        return rateLimited(ctx.now() + hours(1), answer(posted, { error }));
      };
      return orFailed(ctx, posted, INVITE_FAILED, invite());
    },
  },
  create: {
    ability: "user.invite",
    purpose: NEW_USER_PURPOSE,
    form: CreateForm,
    invalid: invalidNewUserForm,
    run: async (ctx, actor, { input: { email, full_name: fullName, role, password }, nonce, ...posted }) => {
      const unproven = await askForProof(ctx, actor, posted);
      if (unproven) return unproven;
      const create = async (): Promise<FormResult> => {
        const created = await createUser(ctx, actor, { email, fullName, role, password, nonce });
        if (!created.ok) return creationFailed(posted, created.error);
        return done({ to: USERS_PATH, flash: { kind: "success", ...userCreated(email) } });
      };
      return orFailed(ctx, posted, CREATE_FAILED, create());
    },
  },
  generate: {
    ability: "user.invite",
    purpose: NEW_USER_PURPOSE,
    invalid: invalidNewUserForm,
    run: (ctx, _actor, posted) => page(answer(posted, { password: generatePassword(randomBytes(ctx)) })),
  },
  other_method: {
    ability: "user.invite",
    purpose: NEW_USER_PURPOSE,
    invalid: invalidNewUserForm,
    run: (_ctx, _actor, posted) => page(answer(posted, { method: OTHER_METHOD[methodIn(posted)] })),
  },
});

/** Returns the random bytes of a password: tokens are as good a source as any. */
const randomBytes = (ctx: Pick<Ctx, "newToken">): Uint8Array => {
  const bytes = Buffer.concat([Buffer.from(ctx.newToken(), "base64url"), Buffer.from(ctx.newToken(), "base64url")]);
  return bytes.subarray(0, RANDOM_BYTES);
};
