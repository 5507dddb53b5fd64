import type { FieldErrors } from "~/lib/form";
import { ErrorSummary } from "~/ui/error-summary";

/** What a form of the account screens was refused for. */
export type FormRefusal = { title: string; errors: FieldErrors };

/** The summary before a form, where there is something to say. */
export function ValidationNotice({ refusal }: { refusal: FormRefusal | null }) {
  return refusal ? <ErrorSummary title={refusal.title} errors={refusal.errors} /> : null;
}
