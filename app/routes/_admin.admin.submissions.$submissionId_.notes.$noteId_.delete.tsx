import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { DELETE_PURPOSE, deleteNoteActions } from "~/features/notes/actions.server";
import { CONFIRM_NOTE_DELETION } from "~/features/notes/copy";
import { listedNote } from "~/features/notes/listed-note.server";
import { findNote } from "~/features/notes/queries.server";
import { rootBrand } from "~/features/settings/root-brand";
import { noteOnSubmission } from "~/features/submissions/note-address.server";
import { keepingLoader } from "~/live/page-refresh";
import { runFormAction } from "~/platform/form-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { orNotFound } from "~/platform/route-responses.server";
import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { Confirmation } from "~/ui/confirmation";
import { Form, SubmitButton } from "~/ui/form";
import { Page } from "~/ui/page";
import { UserText } from "~/ui/user-text";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { clientAction, shouldRevalidate } from "~/ui/not-saved";

export const clientLoader = keepingLoader();

export const meta: MetaFunction = ({ matches }) => [{ title: `Delete note | ${rootBrand(matches).name} Admin` }];

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "note.delete");
  const { subject, noteId, deletionPath, back } = noteOnSubmission({
    params,
    searchParams: context.request.url.searchParams,
  });
  const note = listedNote(actor, orNotFound(await findNote(context.db, subject, noteId)));
  return json({
    note: orNotFound(note.mayDelete ? note : null),
    path: deletionPath,
    back,
    token: issueFormToken(context, DELETE_PURPOSE),
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "note.delete");
  return runFormAction(context, deleteNoteActions, {
    actor,
    request,
    params: noteOnSubmission({ params, searchParams: context.request.url.searchParams }),
  });
}

export default function DeleteNotePage() {
  const { note, path, back, token } = useLoaderData<typeof loader>();
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
            <LinkButton variant="quiet" to={back}>
              Cancel
            </LinkButton>
          </ButtonRow>
        </Form>
      </Confirmation>
    </Page>
  );
}
