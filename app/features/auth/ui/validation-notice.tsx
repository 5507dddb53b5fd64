import type { ValidationError } from "~/lib/form";
import { ErrorSummary } from "~/ui/error-summary";

type ValidationNoticeProps = { validationError: Pick<ValidationError, "title" | "errors"> | null };

/** The summary before a form, where there is something to say. */
export function ValidationNotice({ validationError }: ValidationNoticeProps) {
  return validationError ? <ErrorSummary title={validationError.title} errors={validationError.errors} /> : null;
}
