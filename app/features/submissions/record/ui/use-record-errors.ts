import { formKey, useFormResult } from "~/ui/form-answer";
import type { RecordFormError, RecordIntent } from "../../model";

/** Returns what is wrong with each form of the page; null while nothing is. `path`: the address of the page. */
export function useRecordErrors(path: string): Record<Exclude<RecordIntent, "resend">, RecordFormError | null> {
  return {
    handling: useErrorOf(path, "handling"),
    note: useErrorOf(noteFormPath(path), "note"),
    reply: useErrorOf(path, "reply"),
    release: useErrorOf(path, "release"),
  };
}

/** Returns the address that the form of a note is sent to: without scripts a rejected note is shown again. */
export const noteFormPath = (path: string): string => `${path}#note`;

/** Returns the name of the form that sends a reply again. */
export const resendName = (reply: string): string => `resend ${reply}`;

/** Returns why a reply could not be sent again; null while there is no reason. */
export function useResendError(path: string, reply: string): RecordFormError | null {
  const failed = useFormResult<RecordFormError>(formKey(path, resendName(reply)));
  return failed?.intent === "resend" && failed.values.reply === reply ? failed : null;
}

function useErrorOf(path: string, intent: RecordIntent): RecordFormError | null {
  const failed = useFormResult<RecordFormError>(formKey(path, intent));
  return failed?.intent === intent ? failed : null;
}
