import type { ValidationError } from "~/lib/form";
import { ErrorSummary } from "~/ui/error-summary";

type ValidationNoticeProps = { validationError: Pick<ValidationError, "title" | "errors"> | null };

/** Shows the error summary before a form, if there are errors. */
export function ValidationNotice({ validationError }: ValidationNoticeProps) {
  return validationError ? <ErrorSummary title={validationError.title} errors={validationError.errors} /> : null;
}
