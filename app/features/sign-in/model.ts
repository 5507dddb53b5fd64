import type { Enrollment } from "~/features/auth/factor-commands.server";
import type { ChallengeMethod, SignInState } from "~/features/auth/model";
import type { ValidationError } from "~/lib/form";

/** `canResend`: the password was right, so the page offers to send the confirmation link again. */
export type SignInFormError = ValidationError & { canResend?: boolean };

export type SignInPage = {
  area: "staff" | "client";
  state: SignInState;
  action: string;
  home: string;
  token: string;
  /** Null, unless the person must change their password: then it is the only other way. */
  signOutToken: string | null;
  redirectTo: string | null;
  method: ChallengeMethod;
  enrollment: Enrollment | null;
  showsKey: boolean;
  hintDomain: string;
  reason?: string;
  confirmation?: string;
  /** Says, on pages that wait for a mail, that mail is delayed; the same for every address. */
  mailNote?: string;
  hasErrors: boolean;
  outage: ValidationError | null;
};
