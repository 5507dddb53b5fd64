import { useState } from "react";
import type { FieldErrors } from "~/lib/form";
import { CancelLink } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Page } from "~/ui/page";
import { Box } from "~/ui/panel";
import { SubmitWhenFilled } from "~/ui/submit-when-filled";
import { Textarea } from "~/ui/textarea";
import { NOTE_MAX, type Note, type NoteFormError } from "../model";
import { NoteConflict } from "./note-conflict";

type EditNoteProps = { note: Note; path: string; back: string; token: string };

/** Shows the page that changes a note; and both texts, where somebody else has changed it since it was opened. */
export function EditNote({ note, path, back, token }: EditNoteProps) {
  const failed = useFormResult<NoteFormError>(formKey(path, "edit"));
  // What was opened is what is changed, also after a live event has brought a newer one.
  const [opened] = useState(note);
  if (failed?.isConflict) {
    return (
      <Page title="Edit note">
        <NoteConflict current={note} typed={failed.values.note ?? ""} token={token} path={path} back={back} />
      </Page>
    );
  }
  const errors: FieldErrors = failed?.errors ?? {};
  return (
    <Page title="Edit note">
      {failed ? <ErrorSummary className="mb-7" title={failed.title} errors={errors} /> : null}
      <Box>
        <Form action={path} token={token} name="edit" className="grid gap-[0.9rem]">
          <input type="hidden" name="version" value={opened.version} />
          <Field name="note" label="Note" error={errors.note}>
            <Textarea rows={6} maxLength={NOTE_MAX} defaultValue={failed ? (failed.values.note ?? "") : opened.text} />
          </Field>
          <ButtonRow dense>
            <SubmitWhenFilled pendingLabel="Saving...">Save</SubmitWhenFilled>
            <CancelLink to={back} />
          </ButtonRow>
        </Form>
      </Box>
    </Page>
  );
}
