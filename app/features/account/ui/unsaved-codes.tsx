import { NEW_BACKUP_CODES_PATH } from "~/lib/addresses";
import { Notice } from "~/ui/flash";

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
