import { formKey, useFormResult } from "~/ui/form-answer";
import type { TicketFormError, TicketFormName } from "../model";

/** Returns what is wrong with a form of the page; null while nothing is. `action`: the address it is sent to. */
export function useTicketError(action: string, form: TicketFormName): TicketFormError | null {
  const failed = useFormResult<TicketFormError>(formKey(action, form));
  return failed?.form === form ? failed : null;
}
