import type { Enrollment } from "~/features/auth/factors/enroll-totp.server";
import type { ChallengeMethod, SignInState } from "~/features/auth/model";
import type { ValidationError } from "~/lib/form";

/** `canResend`: the password was right, so it may be offered to send the confirmation link again. */
export type SignInFormError = ValidationError & { canResend?: boolean };

/** What the sign-in screen shows. */
export type SignInPage = {
  /** Whom the address greets: staff, or the people of a client. */
  area: "staff" | "client";
  state: SignInState;
  /** Where every form of the screen posts to. */
  action: string;
  /** The same address without a mode: where links between the modes begin. */
  home: string;
  token: string;
  /** Only while the person must change their password: signing out is all else that is open to them. */
  signOutToken: string | null;
  /** Which of the two factors is asked for. */
  method: ChallengeMethod;
  /** The secret to set up, while one is asked for. */
  enrollment: Enrollment | null;
  showsKey: boolean;
  hintDomain: string;
  /** Why the person was sent here. */
  reason?: string;
  /** What was done before. */
  sent?: string;
  /** A form was not accepted, as the window's title says too. */
  hasErrors: boolean;
  /** The page itself could not be put together. */
  outage: ValidationError | null;
};
