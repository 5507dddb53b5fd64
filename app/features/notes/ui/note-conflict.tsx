import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Form, SubmitButton } from "~/ui/form";
import { Box } from "~/ui/panel";
import { UserText } from "~/ui/user-text";
import { NOTE_CHANGED } from "../copy";

type NoteConflictProps = {
  /** Holds what the note says now, and which version of it that is. */
  current: { text: string; version: number };
  /** Holds what the person has written in the meantime. */
  typed: string;
  token: string;
  path: string;
  back: string;
};

/** Shows the two texts when two people have changed one note, and the choice between them. */
export function NoteConflict({ current, typed, token, path, back }: NoteConflictProps) {
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
