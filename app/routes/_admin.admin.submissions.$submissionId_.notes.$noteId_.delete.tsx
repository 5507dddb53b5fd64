import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { DELETE_PURPOSE, deleteNoteActions, notesPath } from "~/features/notes/actions.server";
import { CONFIRM_NOTE_DELETION } from "~/features/notes/copy";
import { noteRights } from "~/features/notes/note-rights.server";
import { findNote } from "~/features/notes/queries.server";
import { brandIn } from "~/features/settings/brand";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { found } from "~/platform/responses.server";
import { LinkButton } from "~/ui/button";
import { Form, SubmitButton } from "~/ui/form";
import { Page } from "~/ui/page";

export const meta: MetaFunction = ({ matches }) => [{ title: `Delete note | ${brandIn(matches).name} Admin` }];

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "note.delete");
  const { submissionId = "", noteId = "" } = params;
  const note = noteRights(actor, found(await findNote(context.db, submissionId, noteId)));
  return json({
    note: found(note.mayDelete ? note : null),
    back: notesPath({ submissionId }),
    token: issueFormToken(context, DELETE_PURPOSE),
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "note.delete");
  const { submissionId = "", noteId = "" } = params;
  return runFormAction(context, deleteNoteActions, { who: actor, request, params: { submissionId, noteId } });
}

export default function DeleteNotePage() {
  const { note, back, token } = useLoaderData<typeof loader>();
  return (
    <Page title={CONFIRM_NOTE_DELETION}>
      <div className="sheet confirmation">
        <p className="meta">{note.author}</p>
        <p className="words">{note.text}</p>
        <Form action={`${back}/notes/${note.id}/delete`} token={token}>
          <div className="acts-row">
            <SubmitButton variant="danger" pendingLabel="Deleting...">
              Delete note
            </SubmitButton>
            <LinkButton variant="quiet" to={back}>
              Cancel
            </LinkButton>
          </div>
        </Form>
      </div>
    </Page>
  );
}
