import { Notice } from "~/ui/flash";

/** Stands on every page of an account until its owner has said that the codes are kept. */
export function UnsavedCodes({ className }: { className?: string }) {
  return (
    <Notice
      kind="warning"
      className={className}
      title="Save your backup codes."
      message={
        <>
          Without them a lost phone locks you out. <a href="/profile/mfa?do=codes">Make new ones</a> if you did not keep
          them.
        </>
      }
    />
  );
}
