import { not } from "drizzle-orm";
import * as z from "zod";
import { PLATFORM_ROLES, type PlatformRole } from "~/access/model";
import { isDuplicate } from "~/db/client.server";
import { userRoles, users } from "~/db/schema/accounts";
import { recordAudit } from "~/features/audit/record-audit.server";
import { freeAddress, isReserved } from "~/features/auth/address-reservations.server";
import { missingProof } from "~/features/auth/confirm-identity.server";
import { EmailField, FullNameField } from "~/features/auth/forms.server";
import type { StaffActor } from "~/features/auth/guards.server";
import { SENTENCES, TITLES } from "~/features/auth/labels";
import { challengeMethod, OTHER_METHOD, type PasswordFlaw } from "~/features/auth/model";
import { hashNewPassword, passwordFlaw } from "~/features/auth/passwords.server";
import { inviteUser } from "~/features/invitations/sending.server";
import { nameColumns, USERS_PATH, userSubject } from "~/features/users/model";
import { ok } from "~/lib/errors";
import { absentAsEmpty, type FieldErrors, withoutSecrets } from "~/lib/form";
import { type Duration, hours, type Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";
import { type FormProblem, formActions } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { type ActionResult, done, invalid, mapBody, page, rateLimited, unavailable } from "~/platform/responses.server";
import { type Planned, runCommand } from "~/platform/run-command.server";
import { CREATE_FAILED, EMAIL_TAKEN, INVITE_FAILED, INVITED_TOO_OFTEN, userCreated, userInvited } from "./labels";
import type { NewUserAnswer } from "./model";
import { isActiveAdmin } from "./queries.server";

/*
 * Passwords that one person hands to another. Letters and digits that look alike are left out, because they are read
 * aloud and typed from paper; of the special characters only those the password policy accepts.
 */
const UPPER = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const LOWER = "abcdefghijkmnpqrstuvwxyz";
const DIGITS = "23456789";
const SPECIAL = "@$!%&*";
const KINDS = [UPPER, LOWER, DIGITS, SPECIAL];
const ALL = KINDS.join("");

const GENERATED_LENGTH = 12;

/** Says how many random bytes a password takes: two for each character, and two for the place of each. */
export const RANDOM_BYTES = 4 * GENERATED_LENGTH;

export function generatePassword(random: Uint8Array): string {
  let used = 0;
  // Of 65,536 values, so that no choice is noticeably more likely than another.
  const pick = (count: number) => {
    const value = (random[used] ?? 0) * 256 + (random[used + 1] ?? 0);
    used += 2;
    return value % count;
  };
  const characters = Array.from({ length: GENERATED_LENGTH }, (_, index) => {
    const kind = KINDS[index] ?? ALL;
    return kind.charAt(pick(kind.length));
  });
  // The kinds stood in their order until here.
  for (let last = GENERATED_LENGTH - 1; last > 0; last -= 1) {
    const other = pick(last + 1);
    [characters[last], characters[other]] = [characters[other] ?? "", characters[last] ?? ""];
  }
  return characters.join("");
}

/** Limits how long a password works that somebody else has set. */
const INITIAL_PASSWORD_LIFETIME: Duration = hours(72);

type NewUser = { email: string; fullName: string; role: PlatformRole; password: string; nonce: string };
type CreateError = { code: PasswordFlaw | "email_taken" | "denied" } | { code: "unavailable"; retryAt: Instant };

/**
 * Makes an account with a password that whoever makes it hands over. Its owner must choose another one at the first
 * sign-in, and within 72 hours. All of it is one batch: nothing is stored of an account that could not be made. An
 * address that is merely claimed by a sign-up gives way.
 */
async function createUser(
  ctx: Ctx,
  actor: StaffActor,
  { email, fullName, role, password, nonce }: NewUser,
): Promise<{ ok: true } | { ok: false; error: CreateError }> {
  const flaw = await passwordFlaw(ctx, password, email);
  if (flaw) return { ok: false, error: { code: flaw } };
  const hashed = await hashNewPassword(ctx, password);
  if (!hashed.ok) return hashed;
  // Where the answer was lost, the same token may come with something else. The hash is keyed, so that nobody guesses
  // the password by it.
  const typed = JSON.stringify([email, fullName, role, password]);
  const form = { scope: "user-create", key: `${nonce}:${keyedHash(ctx.config.FORM_KEY_1, "user-create", typed)}` };
  const id = ctx.newId("usr");
  const now = ctx.now();
  try {
    const created = await runCommand(ctx, form, {
      read: async () => null,
      plan: (): Planned<"email_taken" | "denied"> =>
        ok({
          resultId: id,
          expects: [
            // An address that its former owner may take back counts as taken.
            { that: not(isReserved(ctx, email, id)), otherwise: "email_taken" },
            { that: isActiveAdmin(actor.userId), otherwise: "denied" },
          ],
          statements: [
            ...freeAddress(ctx.db, email),
            ctx.db.insert(users).values({
              id,
              email,
              ...nameColumns(fullName),
              status: "active",
              password_hash: hashed.hash,
              must_change_password: 1,
              password_expires_at: now + INITIAL_PASSWORD_LIFETIME,
              created_at: now,
              updated_at: now,
            }),
            ctx.db.insert(userRoles).values({ user_id: id, role }),
            recordAudit(ctx, "user.created", { subject: userSubject({ userId: id, fullName }), meta: { role } }),
          ],
        }),
    });
    return created.ok ? { ok: true } : { ok: false, error: { code: created.code } };
  } catch (error) {
    if (!isDuplicate(error, "users.email")) throw error;
    return { ok: false, error: { code: "email_taken" } };
  }
}

export const NEW_USER_PURPOSE = "user-new";

type FormResult = ActionResult<NewUserAnswer>;

const SECRETS = ["password", "current_password", "code", "form_token", "intent"];

const fields = { email: EmailField, full_name: FullNameField, role: z.enum(PLATFORM_ROLES).catch("user") };
const InviteForm = absentAsEmpty(["email", "full_name"], z.object(fields));
const CreateForm = absentAsEmpty(["email", "full_name", "password"], z.object({ ...fields, password: z.string() }));

const methodIn = ({ fields }: PostedForm) => challengeMethod(fields.method);

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
    : rejected(posted, problem.errors.form ? "Error" : TITLES.validation, problem.errors);

async function askForProof(ctx: Ctx, actor: StaffActor, posted: PostedForm): Promise<FormResult | null> {
  const unproven = await missingProof(ctx, actor, posted);
  return unproven && mapBody(unproven, ({ title, errors }) => answer(posted, { error: { title, errors } }));
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
    failed: INVITE_FAILED,
    invalid: invalidNewUserForm,
    run: async (ctx, actor, { input: { email, full_name: fullName, role }, ...posted }) => {
      const unproven = await askForProof(ctx, actor, posted);
      if (unproven) return unproven;
      const invited = await inviteUser(ctx, actor, { email, fullName, role });
      if (invited.ok) return done({ to: USERS_PATH, flash: { kind: "success", ...userInvited(email) } });
      if (invited.code === "email_taken") return rejected(posted, TITLES.validation, { email: EMAIL_TAKEN });
      if (invited.code === "denied") return rejected(posted, "Error", { form: INVITE_FAILED });
      const error = { title: TITLES.validation, errors: { email: INVITED_TOO_OFTEN } };
      return rateLimited(ctx.now() + hours(1), answer(posted, { error }));
    },
  },
  create: {
    ability: "user.invite",
    purpose: NEW_USER_PURPOSE,
    form: CreateForm,
    failed: CREATE_FAILED,
    invalid: invalidNewUserForm,
    run: async (ctx, actor, { input: { email, full_name: fullName, role, password }, nonce, ...posted }) => {
      const unproven = await askForProof(ctx, actor, posted);
      if (unproven) return unproven;
      const created = await createUser(ctx, actor, { email, fullName, role, password, nonce });
      if (!created.ok) return creationFailed(posted, created.error);
      return done({ to: USERS_PATH, flash: { kind: "success", ...userCreated(email) } });
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

const randomBytes = (ctx: Pick<Ctx, "newToken">): Uint8Array => {
  const bytes = Buffer.concat([Buffer.from(ctx.newToken(), "base64url"), Buffer.from(ctx.newToken(), "base64url")]);
  return bytes.subarray(0, RANDOM_BYTES);
};
