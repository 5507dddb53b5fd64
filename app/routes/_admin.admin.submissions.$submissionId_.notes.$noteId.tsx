import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { editNoteActions, loadEditNote } from "~/features/notes/actions.server";
import { EditNote } from "~/features/notes/change-note";
import { adminTitle } from "~/features/settings/brand";
import { noteOnSubmission } from "~/features/submissions/record/read-record.server";
import { runFormAction } from "~/platform/form-actions.server";
import { orNotFound } from "~/platform/responses.server";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, "Edit note");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "note.edit");
  const address = noteOnSubmission({ params, searchParams: context.request.url.searchParams });
  return json(orNotFound(await loadEditNote(context, actor, address)));
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
  return <EditNote note={note} path={path} back={back} token={token} />;
}
