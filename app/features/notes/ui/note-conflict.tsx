import { LinkButton } from "~/ui/button";
import { Form, SubmitButton } from "~/ui/form";
import { NOTE_CHANGED } from "../copy";

type NoteConflictProps = {
  /** What the note says now, and which version of it that is. */
  current: { text: string; version: number };
  /** What the person has written in the meantime. */
  typed: string;
  token: string;
  path: string;
  back: string;
};

/** Two people have changed one note: both texts, and the choice between them. */
export function NoteConflict({ current, typed, token, path, back }: NoteConflictProps) {
  return (
    <div className="sheet stacked" role="alert">
      <p>{NOTE_CHANGED}. Nothing of yours is saved yet.</p>
      <h2>The note as it is now</h2>
      <p className="words">{current.text}</p>
      <h2>Your text</h2>
      <p className="words">{typed}</p>
      <Form action={path} token={token}>
        <input type="hidden" name="version" value={current.version} />
        <input type="hidden" name="note" value={typed} />
        <div className="acts-row">
          <SubmitButton variant="danger" pendingLabel="Saving...">
            Overwrite
          </SubmitButton>
          <LinkButton variant="quiet" to={back}>
            Discard
          </LinkButton>
        </div>
      </Form>
    </div>
  );
}
