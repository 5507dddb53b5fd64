import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import { InsideLabel } from "~/features/conversation/thread";
import type { FieldErrors, ValidationError } from "~/lib/form";
import { ButtonRow, CancelLink, LinkButton } from "~/ui/button";
import { ErrorSummary, Field, Form, formKey, SubmitButton, Textarea, useFormResult } from "~/ui/form";
import { Link } from "~/ui/link";
import { Message, UserText } from "~/ui/message";
import { Box, Confirmation, Page } from "~/ui/page";
import { Time, VisuallyHidden } from "~/ui/text";
import { CONFIRM_NOTE_DELETION, NOTE_CHANGED } from "./labels";
import { type ListedNote, NOTE_MAX, type Note, type NoteFormError } from "./model";

const scrollable = { tabIndex: 0 };

/** Holds a list of notes. A long one scrolls by itself, with the keyboard too. */
export const NoteScroll = ({ label, children }: { label: string; children: ReactNode }) => (
  <section className="max-h-96 overflow-y-auto print:max-h-none" aria-label={label} {...scrollable}>
    {children}
  </section>
);

type NoteMessageProps = {
  note: ListedNote;
  zone: string;
  notePath: (noteId: string, page?: "delete") => string;
};

export function NoteMessage({ note, zone, notePath }: NoteMessageProps) {
  const of = <VisuallyHidden> note of {note.author}</VisuallyHidden>;
  return (
    <Message
      id={note.id}
      from="inside"
      author={note.author}
      label={<InsideLabel>Internal note</InsideLabel>}
      when={
        <>
          <Time at={note.createdAt} zone={zone} mode="short" /> {note.edited ? "(edited)" : null}
        </>
      }
      end={
        <span className="flex gap-3 print:hidden">
          {note.mayEdit ? <Link to={notePath(note.id)}>Edit{of}</Link> : null}
          {note.mayDelete ? <Link to={notePath(note.id, "delete")}>Delete…{of}</Link> : null}
        </span>
      }
    >
      <UserText>{note.text}</UserText>
    </Message>
  );
}

/** Its fields are those of the intent `note`. */
export function NoteForm({ path, token, error }: { path: string; token: string; error: ValidationError | null }) {
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

/** Renders the button of a form with one text, which a script disables while the text is empty. */
function SubmitWhenFilled({ children, ...rest }: ComponentProps<typeof SubmitButton>) {
  const [isEmpty, setIsEmpty] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const text = place.current?.closest("form")?.querySelector("textarea");
    if (!text) return;
    const check = () => setIsEmpty(text.value.trim() === "");
    check();
    text.addEventListener("input", check);
    return () => text.removeEventListener("input", check);
  }, []);
  return (
    <span ref={place}>
      <SubmitButton disabled={isEmpty} {...rest}>
        {children}
      </SubmitButton>
    </span>
  );
}
