import type { ValidationError } from "~/lib/form";
import { Checkbox } from "~/ui/checkbox";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { Panel } from "~/ui/panel";
import { Textarea } from "~/ui/textarea";
import type { SubmissionStatus } from "../../model";
import { submissionPath } from "../../subject";

type ReplyFormProps = {
  submission: { id: string; email: string; firstName: string; status: SubmissionStatus };
  token: string;
  validationError: ValidationError | null;
};

/** Answers by mail without leaving the record, which keeps what was answered. */
export function ReplyForm({ submission, token, validationError }: ReplyFormProps) {
  const { id, email, firstName, status } = submission;
  return (
    <Panel id="reply" title="Reply by mail">
      <Form action={submissionPath(id)} token={token} name="reply" className="mt-3 grid gap-[0.9rem]">
        {validationError ? (
          <ErrorSummary className="mb-7" title={validationError.title} errors={validationError.errors} />
        ) : null}
        <Field name="message" label={`Message to ${email}`} error={validationError?.errors.message}>
          <Textarea
            rows={6}
            maxLength={10_000}
            defaultValue={validationError?.values.message ?? `Hello ${firstName},\n\n`}
          />
        </Field>
        {status === "new" ? <Checkbox name="contacted" label="Set the status to Contacted" defaultChecked /> : null}
        <div>
          <SubmitButton name="intent" value="reply" pendingLabel="Sending...">
            Send reply
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}
