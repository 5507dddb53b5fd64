import type { ChallengeMethod } from "~/features/auth/model";
import type { FormValues, ValidationError } from "~/lib/form";

/** Holds what the form shows after it was sent: what was typed, but never a password, except one that we made. */
export type NewUserAnswer = {
  error: Pick<ValidationError, "title" | "errors"> | null;
  values: FormValues;
  /** Holds the password that was generated. */
  password: string | null;
  /** Names the kind of code that is asked for, where a proof of identity is needed. */
  method: ChallengeMethod;
};
