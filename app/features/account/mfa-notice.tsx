import type { MfaRequirementNotice } from "~/features/auth/model";
import { ENABLE_MFA_PATH, NEW_BACKUP_CODES_PATH } from "~/lib/addresses";
import { plural } from "~/lib/text";
import { Notice } from "~/ui/page";

type MfaNoticeProps = {
  mfaNotice: MfaRequirementNotice;
  withoutLink?: boolean;
  className?: string;
};

/** Shows that a required second factor is missing: the days left, then that access is denied until it is set up. */
export function MfaNotice({ mfaNotice: { isStaff, daysLeft }, withoutLink = false, className }: MfaNoticeProps) {
  const link = withoutLink ? null : <a href={ENABLE_MFA_PATH}>Set it up now</a>;
  if (daysLeft > 0) {
    return (
      <Notice
        kind="warning"
        className={className}
        title={`${plural(daysLeft, "day")} left to set up two-step sign-in.`}
        message={<>Your organization requires it. {link}</>}
      />
    );
  }
  return (
    <Notice
      kind="error"
      className={className}
      title={
        isStaff ? "Two-step sign-in is required for admin accounts." : "Your organization requires two-step sign-in."
      }
      message={
        <>
          {isStaff ? "The admin area" : "The portal"} is closed to you until you set it up. {link}
        </>
      }
    />
  );
}

/** Reminds a person to save their backup codes, on every page while they are signed in, until they confirm it. */
export function UnsavedCodes({ className }: { className?: string }) {
  return (
    <Notice
      kind="warning"
      className={className}
      title="Save your backup codes."
      message={
        <>
          Without them a lost phone locks you out. <a href={NEW_BACKUP_CODES_PATH}>Make new ones</a> if you don't have
          them.
        </>
      }
    />
  );
}
