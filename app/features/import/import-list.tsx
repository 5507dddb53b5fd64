import type { ValidationError } from "~/lib/form";
import { ButtonRow } from "~/ui/button";
import { ErrorSummary, Field, FileInput, Form, formKey, Select, SubmitButton, useFormResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { Panel, Sheet, SheetRows } from "~/ui/page";
import { Time } from "~/ui/text";
import { countedRows, IMPORT_KIND_LABELS, NEVER, PRESET_LABELS, STATE_LABELS } from "./labels";
import { IMPORT_PATH, importPath } from "./paths";
import type { ListedImport } from "./queries.server";

export function UploadPanel({ token }: { token: string }) {
  const failed = useFormResult<ValidationError>(formKey(IMPORT_PATH, "upload"));
  const errors = failed?.errors ?? {};
  return (
    <Panel id="upload" title="Upload">
      {failed ? <ErrorSummary className="mb-3" title={failed.title} errors={errors} /> : null}
      <Form
        action={IMPORT_PATH}
        token={token}
        name="upload"
        encType="multipart/form-data"
        className="grid max-w-160 gap-4"
      >
        <Field
          name="kind"
          label="What is in the file"
          hint="Organizations come first, then people, then tickets: each finds the ones before by name."
          error={errors.kind}
        >
          <Select
            defaultValue={failed?.values.kind ?? "organizations"}
            options={Object.entries(IMPORT_KIND_LABELS).map(([value, label]) => ({ value, label }))}
          />
        </Field>
        <Field name="preset" label="Where it comes from" error={errors.preset}>
          <Select
            defaultValue={failed?.values.preset ?? "generic"}
            options={Object.entries(PRESET_LABELS).map(([value, label]) => ({ value, label }))}
          />
        </Field>
        <Field
          name="file"
          label="File"
          hint="CSV as any program writes it, NDJSON with messages, or a ZIP with one of them and the files of its tickets. At most 95 MB and 200,000 rows."
          error={errors.file}
        >
          <FileInput accept=".csv,.tsv,.txt,.ndjson,.jsonl,.zip" />
        </Field>
        <ButtonRow dense>
          <SubmitButton pendingLabel="Uploading…">Upload</SubmitButton>
          <span className="text-ink-2 text-sm">Nothing is written before you have seen the dry run.</span>
        </ButtonRow>
      </Form>
    </Panel>
  );
}

export function NeverPanel() {
  return (
    <Panel id="never" title="What an import never does">
      <ul className="list-disc pl-5">
        {NEVER.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Panel>
  );
}

export function LastImports({ imports, zone }: { imports: readonly ListedImport[]; zone: string }) {
  return (
    <Sheet id="imports" title="Last imports">
      {imports.length === 0 ? <p className="px-4 pb-3">Nothing was imported yet.</p> : null}
      <SheetRows>
        {imports.map(({ id, kind, state, added, removed, fileName, createdAt, by }) => (
          <li key={id} className="wrap-anywhere">
            <Link to={importPath(id)}>{`${IMPORT_KIND_LABELS[kind]}: ${fileName}`}</Link>
            <span className="text-ink-2 text-sm">
              {" "}
              <Time at={createdAt} zone={zone} />
              {by ? `, ${by}` : ""}. {STATE_LABELS[state]}
              {state === "done" ? `, ${countedRows(kind, added)} added` : ""}
              {state === "undone" ? `, ${countedRows(kind, removed)} taken away` : ""}.
            </span>
          </li>
        ))}
      </SheetRows>
    </Sheet>
  );
}
