import { Icon } from "~/ui/icon";
import { Lock } from "~/ui/icons";
import { Link } from "~/ui/link";
import { Message } from "~/ui/message";
import { Time } from "~/ui/time";
import { UserText } from "~/ui/user-text";
import { VisuallyHidden } from "~/ui/visually-hidden";
import type { ListedNote } from "../model";

type NoteMessageProps = {
  note: ListedNote;
  zone: string;
  /** Returns the address of the note's own page, or of the page that asks before it is deleted. */
  notePath: (noteId: string, page?: "delete") => string;
};

/** Shows a note among others, with links to what its reader may do to it. */
export function NoteMessage({ note, zone, notePath }: NoteMessageProps) {
  const of = <VisuallyHidden> note of {note.author}</VisuallyHidden>;
  return (
    <Message
      id={note.id}
      from="inside"
      author={note.author}
      label={
        <span className="inline-flex items-center gap-[0.35rem] font-semibold text-canary-ink">
          <Icon of={Lock} /> Internal note
        </span>
      }
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
