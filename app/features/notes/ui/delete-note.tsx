import { CancelLink } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Confirmation } from "~/ui/confirmation";
import { Form, SubmitButton } from "~/ui/form";
import { Page } from "~/ui/page";
import { UserText } from "~/ui/user-text";
import { CONFIRM_NOTE_DELETION } from "../copy";
import type { Note } from "../model";

type DeleteNoteProps = { note: Pick<Note, "author" | "text">; path: string; back: string; token: string };

/** Shows the page that asks before a note is deleted. */
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
