import type { ValidationError } from "~/lib/form";
import { ButtonRow } from "~/ui/button-row";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import { Panel } from "~/ui/panel";
import { Textarea } from "~/ui/textarea";
import { Time } from "~/ui/time";
import { UserText } from "~/ui/user-text";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { type ListedNote, NOTE_MAX } from "../model";

type NoteListProps = {
  notes: readonly ListedNote[];
  zone: string;
  /** Address of the record the notes are on. */
  path: string;
  /** Token of the form for a new note; `null` where the reader may not write one. */
  token: string | null;
  validationError: ValidationError | null;
};

const scrollable = { tabIndex: 0 };

/** Shows what staff have written to each other, newest first, in a region of its own, with the form for one more. */
export function NoteList({ notes, zone, path, token, validationError }: NoteListProps) {
  return (
    <Panel id="notes" title="Notes">
      {notes.length === 0 ? <p className="text-ink-2">No notes yet. Only staff see them.</p> : null}
      {notes.length > 0 ? (
        <section className="mb-4 max-h-96 overflow-y-auto" aria-label="All notes" {...scrollable}>
          <ol>
            {notes.map((note) => (
              <NoteItem key={note.id} note={note} zone={zone} path={path} />
            ))}
          </ol>
        </section>
      ) : null}
      {token ? <NewNote path={path} token={token} validationError={validationError} /> : null}
    </Panel>
  );
}

function NoteItem({ note, zone, path }: { note: ListedNote; zone: string; path: string }) {
  const address = `${path}/notes/${note.id}`;
  return (
    <li className="border-line border-b py-[0.6rem] last:border-b-0" id={note.id} tabIndex={-1}>
      <p className="text-ink-3 text-sm">
        <b>{note.author}</b>, <Time at={note.createdAt} zone={zone} /> {note.edited ? "(edited)" : null}
      </p>
      <UserText>{note.text}</UserText>
      <ButtonRow dense>
        {note.mayEdit ? (
          <Link to={address}>
            Edit <VisuallyHidden>note of {note.author}</VisuallyHidden>
          </Link>
        ) : null}
        {note.mayDelete ? (
          <Link to={`${address}/delete`}>
            Delete <VisuallyHidden>note of {note.author}</VisuallyHidden>
          </Link>
        ) : null}
      </ButtonRow>
    </li>
  );
}

function NewNote({
  path,
  token,
  validationError,
}: Pick<NoteListProps, "path" | "validationError"> & { token: string }) {
  return (
    <Form action={path} token={token} name="note" className="mt-3 grid gap-[0.9rem]">
      {validationError ? (
        <ErrorSummary className="mb-7" title={validationError.title} errors={validationError.errors} />
      ) : null}
      <Field name="note" label="New note" error={validationError?.errors.note}>
        <Textarea rows={3} maxLength={NOTE_MAX} defaultValue={validationError?.values.note} />
      </Field>
      <div>
        <SubmitButton name="intent" value="note" pendingLabel="Adding...">
          Add
        </SubmitButton>
      </div>
    </Form>
  );
}
