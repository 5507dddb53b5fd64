import type { ValidationError } from "~/lib/form";
import { FactList } from "~/ui/fact-list";
import {
  Checkbox,
  ErrorSummary,
  Field,
  Form,
  formKey,
  Input,
  optionsWithNone,
  Select,
  SubmitButton,
  Textarea,
  useFormResult,
} from "~/ui/form";
import { Link } from "~/ui/link";
import { Box, Panel } from "~/ui/page";
import { DataTable } from "~/ui/table";
import {
  CANNED_LIMITS,
  CANNED_REPLIES_PATH,
  type CannedReply,
  cannedReplyPath,
  PROPOSALS,
  PROPOSED_STATUSES,
  VARIABLES,
} from "./model";

type CannedReplyFormProps = {
  reply: CannedReply | null;
  path: string;
  tokens: { save: string | null; delete: string | null };
  mayShare: boolean;
};

const PROPOSED = optionsWithNone("Send", PROPOSED_STATUSES, PROPOSALS);

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
            <SubmitButton intent="save" pendingLabel="Saving...">
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
            <SubmitButton variant="danger" size="sm" intent="delete" pendingLabel="Deleting...">
              Delete
            </SubmitButton>
          </Form>
        </details>
      ) : null}
    </div>
  );
}

export function CannedReplyList({ replies }: { replies: readonly (CannedReply & { mayEdit: boolean })[] }) {
  return (
    <DataTable
      id="canned-replies"
      caption="Saved replies"
      rows={replies}
      rowKey={({ id }) => id}
      empty={<p>No saved replies yet.</p>}
      columns={[
        {
          label: "Title",
          header: true,
          wide: true,
          cell: ({ id, title, mayEdit }) => (mayEdit ? <Link to={cannedReplyPath(id)}>{title}</Link> : title),
        },
        { label: "Text", wide: true, cell: ({ message }) => <span className="line-clamp-2">{message}</span> },
        { label: "For", labelled: true, cell: ({ isShared }) => (isShared ? "All staff" : "Only you") },
        { label: "Category", labelled: true, cell: ({ category }) => category ?? "—" },
        { label: "Used", labelled: true, noWrap: true, cell: ({ used }) => used.toLocaleString("en-US") },
      ]}
    />
  );
}
