import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { useState } from "react";
import { requireStaff } from "~/features/auth/guards.server";
import { EDIT_PURPOSE, editNoteActions, type NoteFormError } from "~/features/notes/actions.server";
import { listedNote } from "~/features/notes/listed-note.server";
import { NOTE_MAX } from "~/features/notes/model";
import { findNote } from "~/features/notes/queries.server";
import { NoteConflict } from "~/features/notes/ui/note-conflict";
import { rootBrand } from "~/features/settings/root-brand";
import { noteOnSubmission } from "~/features/submissions/note-address.server";
import type { FieldErrors } from "~/lib/form";
import { keepingLoader } from "~/live/page-refresh";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { orNotFound } from "~/platform/route-responses.server";
import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { ErrorSummary } from "~/ui/error-summary";
import { Field } from "~/ui/field";
import { Form } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Page } from "~/ui/page";
import { Box } from "~/ui/panel";
import { SubmitWhenFilled } from "~/ui/submit-when-filled";
import { Textarea } from "~/ui/textarea";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { clientAction, shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => [
  { title: `${data?.hasErrors ? "Error: " : ""}Edit note | ${rootBrand(matches).name} Admin` },
];

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "note.edit");
  const { subject, noteId, path, back } = noteOnSubmission({ params, searchParams: context.request.url.searchParams });
  const note = listedNote(actor, orNotFound(await findNote(context.db, subject, noteId)));
  return json({
    note: orNotFound(note.mayEdit ? note : null),
    path,
    back: `${back}#${noteId}`,
    token: issueFormToken(context, EDIT_PURPOSE),
    hasErrors: context.request.method === "POST",
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "note.edit");
  const note = noteOnSubmission({ params, searchParams: context.request.url.searchParams });
  // What was edited is what to look at.
  const address = { ...note, back: `${note.back}#${note.noteId}` };
  return runFormAction(context, editNoteActions, { actor, request, params: address });
}

export default function EditNotePage() {
  const { note, path, back, token } = useLoaderData<typeof loader>();
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
            <LinkButton variant="quiet" to={back}>
              Cancel
            </LinkButton>
          </ButtonRow>
        </Form>
      </Box>
    </Page>
  );
}
