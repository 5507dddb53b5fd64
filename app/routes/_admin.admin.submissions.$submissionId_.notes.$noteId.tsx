import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { NOTE_NOT_UPDATED, NOTE_UPDATED } from "~/features/notes/copy";
import { editNote } from "~/features/notes/edit-note.server";
import { EditNoteForm } from "~/features/notes/forms.server";
import { NOTE_MAX } from "~/features/notes/model";
import { noteRights } from "~/features/notes/note-rights.server";
import { findNote } from "~/features/notes/queries.server";
import { NoteConflict } from "~/features/notes/ui/note-conflict";
import { brandIn } from "~/features/settings/brand";
import { submissionPath } from "~/features/submissions/subject";
import { parseForm } from "~/lib/form";
import { checkFormToken, issueFormToken } from "~/platform/form-token.server";
import { readForm } from "~/platform/read-form.server";
import { found, redirectWithFlash } from "~/platform/responses.server";
import { Actions } from "~/ui/actions";
import { LinkButton } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form, SubmitButton } from "~/ui/form";
import { Page } from "~/ui/page";
import { Box } from "~/ui/panel";
import { Textarea } from "~/ui/textarea";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => [
  { title: `${data?.refused ? "Error: " : ""}Edit note | ${brandIn(matches).name} Admin` },
];

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "note.edit");
  const { submissionId = "", noteId = "" } = params;
  const subject = { type: "submission" as const, id: submissionId };
  const note = noteRights(actor, found(await findNote(context.db, subject, noteId)));
  return json({
    note: found(note.mayEdit ? note : null),
    back: submissionPath(submissionId),
    token: issueFormToken(context, "note-edit"),
    refused: context.request.method === "POST",
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "note.edit");
  const { submissionId = "", noteId = "" } = params;
  const back = submissionPath(submissionId);
  const { fields } = await readForm(request);
  const token = checkFormToken(context, "note-edit", fields.form_token);
  if (!token.ok) return redirectWithFlash(context, back, { kind: "error", title: "Error", message: NOTE_NOT_UPDATED });
  const input = parseForm(EditNoteForm, fields);
  const typed = fields.note ?? "";
  if (!input.ok) return json({ errors: input.errors, typed, conflict: false }, { status: 400 });
  const subject = { type: "submission" as const, id: submissionId };
  const edit = { subject, noteId, nonce: token.value.nonce, ...input.value };
  const edited = await editNote(context, actor, edit);
  if (edited.ok) return redirectWithFlash(context, back, { kind: "success", ...NOTE_UPDATED });
  if (edited.code === "note_not_found") throw new Response(null, { status: 404 });
  return json({ errors: {}, typed, conflict: true }, { status: 409 });
}

export default function EditNotePage() {
  const { note, back, token } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const path = `${back}/notes/${note.id}`;
  if (answer?.conflict) {
    return (
      <Page title="Edit note">
        <NoteConflict current={note} typed={answer.typed} token={token} path={path} back={back} />
      </Page>
    );
  }
  const errors: Record<string, string> = answer?.errors ?? {};
  return (
    <Page title="Edit note">
      {answer ? <ErrorSummary className="mb-7" title={NOTE_NOT_UPDATED} errors={errors} /> : null}
      <Box>
        <Form action={path} token={token} className="grid gap-[0.9rem]">
          <input type="hidden" name="version" value={note.version} />
          <Field name="note" label="Note" error={errors.note}>
            <Textarea rows={6} maxLength={NOTE_MAX} defaultValue={answer?.typed ?? note.text} />
          </Field>
          <Actions dense>
            <SubmitButton pendingLabel="Saving...">Save</SubmitButton>
            <LinkButton variant="quiet" to={back}>
              Cancel
            </LinkButton>
          </Actions>
        </Form>
      </Box>
    </Page>
  );
}
