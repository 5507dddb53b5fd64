import { formKey, useFormResult } from "~/ui/form-answer";
import type { RecordFormError, RecordIntent } from "../../model";

/** Returns what is wrong with each form of the page; null while nothing is. `path`: the address of the page. */
export function useRecordErrors(path: string): Record<RecordIntent, RecordFormError | null> {
  return {
    edit: useErrorOf(path, "edit"),
    note: useErrorOf(path, "note"),
    review: useErrorOf(path, "review"),
    owner: useErrorOf(path, "owner"),
    resend: useErrorOf(path, "resend"),
    revoke: useErrorOf(path, "revoke"),
    link: useErrorOf(path, "link"),
  };
}

function useErrorOf(path: string, intent: RecordIntent): RecordFormError | null {
  const failed = useFormResult<RecordFormError>(formKey(path, intent));
  return failed?.intent === intent ? failed : null;
}
