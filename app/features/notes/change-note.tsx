import { useState } from "react";
import type { FieldErrors } from "~/lib/form";
import { ButtonRow, CancelLink, LinkButton } from "~/ui/button";
import { ErrorSummary, Field, Form, formKey, SubmitButton, Textarea, useFormResult } from "~/ui/form";
import { UserText } from "~/ui/message";
import { Box, Confirmation, Page } from "~/ui/page";
import { CONFIRM_NOTE_DELETION, NOTE_CHANGED } from "./labels";
import { NOTE_MAX, type Note, type NoteFormError } from "./model";
import { SubmitWhenFilled } from "./notes";

export function EditNote({ note, path, back, token }: { note: Note; path: string; back: string; token: string }) {
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

type NoteConflictProps = {
  current: { text: string; version: number };
  typed: string;
  token: string;
  path: string;
  back: string;
};

function NoteConflict({ current, typed, token, path, back }: NoteConflictProps) {
  return (
    <Box className="grid gap-[0.9rem]" role="alert">
      <p>{NOTE_CHANGED}. Nothing of yours is saved yet.</p>
      <h2>The note as it is now</h2>
      <UserText>{current.text}</UserText>
      <h2>Your text</h2>
      <UserText>{typed}</UserText>
      <Form action={path} token={token} name="edit">
        <input type="hidden" name="version" value={current.version} />
        <input type="hidden" name="note" value={typed} />
        <ButtonRow dense>
          <SubmitButton variant="danger" pendingLabel="Saving...">
            Overwrite
          </SubmitButton>
          <LinkButton variant="quiet" to={back}>
            Discard
          </LinkButton>
        </ButtonRow>
      </Form>
    </Box>
  );
}

type DeleteNoteProps = { note: Pick<Note, "author" | "text">; path: string; back: string; token: string };

export function DeleteNote({ note, path, back, token }: DeleteNoteProps) {
  return (
    <Page title={CONFIRM_NOTE_DELETION}>
      <Confirmation>
        <p className="text-ink-3 text-sm">{note.author}</p>
        <UserText>{note.text}</UserText>
        <Form action={path} token={token}>
          <ButtonRow dense>
            <SubmitButton variant="danger" pendingLabel="Deleting...">
              Delete note
            </SubmitButton>
            <CancelLink to={back} />
          </ButtonRow>
        </Form>
      </Confirmation>
    </Page>
  );
}
