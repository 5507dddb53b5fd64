import type { Enrollment } from "~/features/auth/factors/enroll-totp.server";
import type { ChallengeMethod, SignInState } from "~/features/auth/model";
import type { ValidationError } from "~/lib/form";

/**
 * Describes a failed form. `canResend`: the password was right, so the page offers to send the confirmation link again.
 */
export type SignInFormError = ValidationError & { canResend?: boolean };

/** Holds the data of the sign-in screen. */
export type SignInPage = {
  /** Names the audience of the URL: staff or clients. */
  area: "staff" | "client";
  state: SignInState;
  /** Holds the URL all forms of the screen post to. */
  action: string;
  /** Holds the same URL without a mode, as the base of links between the modes. */
  home: string;
  token: string;
  /**
   * Holds the token for signing out; null, unless the person must change their password, where it is the only other
   * way.
   */
  signOutToken: string | null;
  /** Names the page the person wants to open, which every link between the modes carries on. */
  redirectTo: string | null;
  /** Names the method of the requested code. */
  method: ChallengeMethod;
  /** Holds the secret to set up, in the state `setup_required`. */
  enrollment: Enrollment | null;
  showsKey: boolean;
  hintDomain: string;
  /** Tells the reason why the person was redirected here. */
  reason?: string;
  /** Holds the sentence that confirms the previous step. */
  confirmation?: string;
  /** Says, on pages that wait for a mail, that mail is delayed; the same for every address. */
  mailNote?: string;
  /** Tells whether a form was rejected; the title of the document says so too. */
  hasErrors: boolean;
  /** Says why the page itself could not be loaded; null: it was. */
  outage: ValidationError | null;
};
