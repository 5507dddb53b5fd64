import type { ValidationError } from "~/lib/form";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form } from "~/ui/form";
import { SubmitWhenFilled } from "~/ui/submit-when-filled";
import { Textarea } from "~/ui/textarea";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { NOTE_MAX } from "../model";

type NoteFormProps = { path: string; token: string; error: ValidationError | null };

/** Takes a note for staff, on the page of what it is about. Its fields are those of the intent `note`. */
export function NoteForm({ path, token, error }: NoteFormProps) {
  return (
    <Form action={path} token={token} name="note">
      {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
      <Field name="note" id="note-text" label="Internal note" error={error?.errors.note}>
        <Textarea rows={5} maxLength={NOTE_MAX} defaultValue={error?.values.note} />
      </Field>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="text-sm">Only staff can read this. It is never mailed.</span>
        <span className="ml-auto">
          <SubmitWhenFilled size="sm" name="intent" value="note" pendingLabel="Adding...">
            Add<VisuallyHidden> internal note</VisuallyHidden>
          </SubmitWhenFilled>
        </span>
      </div>
    </Form>
  );
}
