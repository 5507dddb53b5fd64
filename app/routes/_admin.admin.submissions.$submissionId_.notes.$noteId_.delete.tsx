import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { CONFIRM_NOTE_DELETION, NOTE_DELETED, NOTE_NOT_DELETED } from "~/features/notes/copy";
import { deleteNote } from "~/features/notes/delete-note.server";
import { noteRights } from "~/features/notes/note-rights.server";
import { findNote } from "~/features/notes/queries.server";
import { brandIn } from "~/features/settings/brand";
import { submissionPath } from "~/features/submissions/subject";
import { checkFormToken, issueFormToken } from "~/platform/form-token.server";
import { readForm } from "~/platform/read-form.server";
import { found, redirectWithFlash } from "~/platform/responses.server";
import { Actions } from "~/ui/actions";
import { LinkButton } from "~/ui/button";
import { Confirmation } from "~/ui/confirmation";
import { Form, SubmitButton } from "~/ui/form";
import { Page } from "~/ui/page";
import { WrittenText } from "~/ui/written-text";

export const meta: MetaFunction = ({ matches }) => [{ title: `Delete note | ${brandIn(matches).name} Admin` }];

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "note.delete");
  const { submissionId = "", noteId = "" } = params;
  const subject = { type: "submission" as const, id: submissionId };
  const note = noteRights(actor, found(await findNote(context.db, subject, noteId)));
  return json({
    note: found(note.mayDelete ? note : null),
    back: submissionPath(submissionId),
    token: issueFormToken(context, "note-delete"),
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "note.delete");
  const { submissionId = "", noteId = "" } = params;
  const back = submissionPath(submissionId);
  const { fields } = await readForm(request);
  const token = checkFormToken(context, "note-delete", fields.form_token);
  if (!token.ok) return redirectWithFlash(context, back, { kind: "error", title: "Error", message: NOTE_NOT_DELETED });
  const deleted = await deleteNote(context, actor, {
    subject: { type: "submission", id: submissionId },
    noteId,
    nonce: token.value.nonce,
  });
  if (!deleted.ok) throw new Response(null, { status: 404 });
  return redirectWithFlash(context, back, { kind: "success", ...NOTE_DELETED });
}

export default function DeleteNotePage() {
  const { note, back, token } = useLoaderData<typeof loader>();
  return (
    <Page title={CONFIRM_NOTE_DELETION}>
      <Confirmation>
        <p className="text-ink-3 text-sm">{note.author}</p>
        <WrittenText>{note.text}</WrittenText>
        <Form action={`${back}/notes/${note.id}/delete`} token={token}>
          <Actions dense>
            <SubmitButton variant="danger" pendingLabel="Deleting...">
              Delete note
            </SubmitButton>
            <LinkButton variant="quiet" to={back}>
              Cancel
            </LinkButton>
          </Actions>
        </Form>
      </Confirmation>
    </Page>
  );
}
