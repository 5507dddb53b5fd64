import { NoteForm } from "~/features/notes/ui/note-form";
import type { ValidationError } from "~/lib/form";
import { Checkbox } from "~/ui/checkbox";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { SentNotice } from "~/ui/sent-notice";
import { Textarea } from "~/ui/textarea";
import { TwoFormComposer } from "~/ui/two-form-composer";
import { STATUS_LABELS } from "../../copy";
import type { RecordIntent, SubmissionRecord } from "../../model";
import { noteFormPath } from "./use-record-errors";

type ComposerProps = {
  submission: SubmissionRecord;
  /** Names the reply that the reader has just sent; null: none. */
  sent: string | null;
  /** Holds the address of the page, which takes the forms. */
  path: string;
  /** Holds the tokens of the forms; `null` where the reader may not use one. */
  tokens: { reply: string | null; note: string | null };
  errors: Pick<Record<RecordIntent, ValidationError | null>, "reply" | "note">;
};

/** Takes a reply to the visitor, or a note for staff, without leaving the record. */
export function Composer({ submission, sent, path, tokens, errors }: ComposerProps) {
  if (!tokens.note) return null;
  return (
    <TwoFormComposer
      reply={
        tokens.reply ? (
          <ReplyForm submission={submission} sent={sent} path={path} token={tokens.reply} error={errors.reply} />
        ) : null
      }
      note={<NoteForm path={noteFormPath(path)} token={tokens.note} error={errors.note} />}
    />
  );
}

type FormProps = { path: string; token: string; error: ValidationError | null };

type ReplyFormProps = FormProps & Pick<ComposerProps, "submission" | "sent">;

function ReplyForm({ submission, sent, path, token, error }: ReplyFormProps) {
  const { email, firstName, status, owner } = submission;
  const isTicked = (name: string) => !error || error.values[name] === "on";
  return (
    <Form action={path} token={token} name="reply">
      {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
      <Field name="message" label={`Message to ${email}`} error={error?.errors.message}>
        <Textarea rows={5} maxLength={10_000} defaultValue={error?.values.message ?? `Hello ${firstName},\n\n`} />
      </Field>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {sent ? <SentNotice /> : null}
        {status === "new" ? (
          <Checkbox name="contacted" label="Set the status to Contacted" defaultChecked={isTicked("contacted")} />
        ) : (
          <span>The status stays {STATUS_LABELS[status]}.</span>
        )}
        {owner ? null : <Checkbox name="assign_to_me" label="Assign to me" defaultChecked={isTicked("assign_to_me")} />}
        <span className="text-ink-2 text-sm">The visitor can read this. Your name goes below it.</span>
        <SubmitButton className="ml-auto" size="sm" name="intent" value="reply" pendingLabel="Sending...">
          Send Reply
        </SubmitButton>
      </div>
    </Form>
  );
}
