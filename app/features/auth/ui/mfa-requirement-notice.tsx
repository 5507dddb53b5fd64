import { plural } from "~/lib/text";
import { Notice } from "~/ui/flash";
import type { MfaRequirementNotice as Missing } from "../factors/mfa-requirement";

export type FactorNoticeProps = {
  missing: Missing;
  /** The page has its own way to the set-up. */
  withoutLink?: boolean;
};

/** Says that a second factor is demanded and missing: as a countdown while there is time, then as what closes the rest. */
export function MfaRequirementNotice({ missing: { isStaff, daysLeft }, withoutLink = false }: FactorNoticeProps) {
  const link = withoutLink ? null : <a href="/profile/mfa?do=enable">Set it up now</a>;
  if (daysLeft > 0) {
    return (
      <Notice
        kind="warning"
        title={`${plural(daysLeft, "day")} left to set up two-step sign-in.`}
        message={<>Your organization requires it. {link}</>}
      />
    );
  }
  return (
    <Notice
      kind="error"
      title={isStaff ? "MFA is required for admin accounts." : "Your organization requires two-step sign-in."}
      message={
        <>
          {isStaff ? "The admin area" : "The portal"} is closed to you until you set it up. {link}
        </>
      }
    />
  );
}
