import type { ListedNote } from "~/features/notes/model";
import { NoteForm, NoteMessage } from "~/features/notes/notes";
import type { Instant } from "~/lib/time";
import { Link } from "~/ui/link";
import { TwoFormComposer } from "~/ui/two-form-composer";
import { notePath } from "../../addresses";
import type { RecordFormError } from "../../model";

type OrganizationNotesProps = {
  organizationId: string;
  /** Lists the notes, newest first. `earlier`: instant before which there are more. */
  notes: { shown: readonly ListedNote[]; earlier: Instant | null; isEarlier: boolean };
  zone: string;
  path: string;
  token: string | null;
  error: RecordFormError | null;
};

/** Shows what staff have noted about the client, and takes another note. */
export function OrganizationNotes({ organizationId, notes, zone, path, token, error }: OrganizationNotesProps) {
  const { shown, earlier, isEarlier } = notes;
  return (
    <section className="grid gap-[0.6rem]" aria-labelledby="notes-title">
      <h2 className="text-md" id="notes-title">
        Notes about the client
      </h2>
      {token ? <TwoFormComposer reply={null} note={<NoteForm path={path} token={token} error={error} />} /> : null}
      {shown.length === 0 ? <p className="text-ink-2">No notes yet. Only staff see them.</p> : null}
      <ol className="grid gap-[0.6rem]">
        {shown.map((note) => (
          <li key={note.id}>
            <NoteMessage note={note} zone={zone} notePath={(noteId, page) => notePath(organizationId, noteId, page)} />
          </li>
        ))}
      </ol>
      {earlier !== null || isEarlier ? (
        <p className="flex gap-4 text-sm print:hidden">
          {earlier === null ? null : <Link to={`${path}?until=${earlier}#notes-title`}>Show earlier</Link>}
          {isEarlier ? <Link to={`${path}#notes-title`}>Show the latest</Link> : null}
        </p>
      ) : null}
    </section>
  );
}
