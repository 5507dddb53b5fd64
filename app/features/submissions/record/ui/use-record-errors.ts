import { formKey, useFormResult } from "~/ui/form-answer";
import type { RecordFormError, RecordIntent } from "../../model";

/** Returns what is wrong with each form of the page; null while nothing is. */
export function useRecordErrors(path: string): Record<RecordIntent, RecordFormError | null> {
  return {
    status: useErrorOf(path, "status"),
    note: useErrorOf(path, "note"),
    assign: useErrorOf(path, "assign"),
    reply: useErrorOf(path, "reply"),
    release: useErrorOf(path, "release"),
  };
}

function useErrorOf(path: string, intent: RecordIntent): RecordFormError | null {
  const failed = useFormResult<RecordFormError>(formKey(path, intent));
  return failed?.intent === intent ? failed : null;
}
