import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { deleteNoteActions, loadDeleteNote } from "~/features/notes/actions.server";
import { DeleteNote } from "~/features/notes/change-note";
import { noteOnOrganization } from "~/features/organization-management/record-page.server";
import { adminTitle } from "~/features/settings/brand";
import { runFormAction } from "~/platform/form-actions.server";
import { orNotFound } from "~/platform/responses.server";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const meta: MetaFunction = (page) => adminTitle(page, "Delete note");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "note.delete");
  const address = noteOnOrganization(params);
  return json(orNotFound(await loadDeleteNote(context, actor, address)));
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "note.delete");
  const address = noteOnOrganization(params);
  return runFormAction(context, deleteNoteActions, { actor, request, params: address });
}

export default function DeleteNotePage() {
  const { note, path, back, token } = useLoaderData<typeof loader>();
  return <DeleteNote note={note} path={path} back={back} token={token} />;
}
