import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import type { ValidationError } from "~/lib/form";
import { ErrorSummary, Field, Form, SubmitButton, Textarea } from "~/ui/form";
import { Link } from "~/ui/link";
import { InsideLabel, Message, UserText } from "~/ui/message";
import { Time, VisuallyHidden } from "~/ui/text";
import { type ListedNote, NOTE_MAX } from "./model";

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

/** Renders the button of a form with one text, which a script disables while the text is empty. */
export function SubmitWhenFilled({ children, ...rest }: ComponentProps<typeof SubmitButton>) {
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
