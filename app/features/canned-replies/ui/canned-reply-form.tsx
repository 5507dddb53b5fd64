import type { ValidationError } from "~/lib/form";
import { Checkbox } from "~/ui/checkbox";
import { ErrorSummary } from "~/ui/error-summary";
import { FactList } from "~/ui/fact-list";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Input } from "~/ui/input";
import { Link } from "~/ui/link";
import { Box, Panel } from "~/ui/panel";
import { optionsWithNone, Select } from "~/ui/select";
import { Textarea } from "~/ui/textarea";
import { CANNED_LIMITS, type CannedReply, PROPOSALS, PROPOSED_STATUSES, VARIABLES } from "../model";
import { CANNED_REPLIES_PATH } from "../paths";

type CannedReplyFormProps = {
  /** Holds the reply to change; null: a new one is written. */
  reply: CannedReply | null;
  /** Holds the address of the page, which takes the forms. */
  path: string;
  tokens: { save: string | null; delete: string | null };
  /** Tells whether the reader may share replies with all staff. */
  mayShare: boolean;
};

const PROPOSED = optionsWithNone("Send", PROPOSED_STATUSES, PROPOSALS);

/** Takes the texts of a canned reply, says what may stand in it, and deletes it. */
export function CannedReplyForm({ reply, path, tokens, mayShare }: CannedReplyFormProps) {
  const error = useFormResult<ValidationError>(formKey(path, "save")) ?? null;
  const { values, errors } = error ?? {};
  return (
    <div className="grid max-w-200 gap-5">
      <Box>
        <Form action={path} token={tokens.save ?? ""} name="save" className="grid gap-4">
          {error ? <ErrorSummary title={error.title} errors={error.errors} /> : null}
          <input type="hidden" name="version" value={values?.version ?? reply?.version ?? 0} />
          <Field name="title" label="Title" error={errors?.title}>
            <Input maxLength={CANNED_LIMITS.title} autoComplete="off" defaultValue={values?.title ?? reply?.title} />
          </Field>
          <Field name="message" label="Text" error={errors?.message}>
            <Textarea rows={10} maxLength={CANNED_LIMITS.message} defaultValue={values?.message ?? reply?.message} />
          </Field>
          <Field name="category" label="Category" error={errors?.category} optional>
            <Input maxLength={60} autoComplete="off" defaultValue={values?.category ?? reply?.category ?? ""} />
          </Field>
          <Field name="status" label="Usually sent with" error={errors?.status}>
            <Select options={PROPOSED} defaultValue={values?.status ?? reply?.status ?? ""} />
          </Field>
          {mayShare ? (
            <Checkbox
              name="shared"
              label="For all staff"
              defaultChecked={values ? values.shared === "on" : (reply?.isShared ?? true)}
            />
          ) : null}
          <div className="flex flex-wrap items-center gap-4">
            <SubmitButton name="intent" value="save" pendingLabel="Saving...">
              Save
            </SubmitButton>
            <Link to={CANNED_REPLIES_PATH}>Cancel</Link>
          </div>
        </Form>
      </Box>
      <Panel id="variables" title="Variables">
        <FactList
          facts={Object.entries(VARIABLES).map(([name, detail]) => ({ term: `{{${name}}}`, detail }))}
          terms="long"
        />
      </Panel>
      {reply && tokens.delete ? (
        <details>
          <summary className="cursor-pointer">Delete this reply…</summary>
          <Form action={path} token={tokens.delete} name="delete" className="mt-2 grid justify-items-start gap-2">
            <p>What was sent with its words stays.</p>
            <SubmitButton variant="danger" size="sm" name="intent" value="delete" pendingLabel="Deleting...">
              Delete
            </SubmitButton>
          </Form>
        </details>
      ) : null}
    </div>
  );
}
