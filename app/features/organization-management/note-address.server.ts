import type { NoteAddress } from "~/features/notes/actions.server";
import { organizationPath } from "~/features/organizations/subject";
import { idParam } from "~/platform/route-responses.server";
import { notePath } from "./addresses";

/** Returns what the address of a note about an organization says. Throws a 404 response if it names no ids. */
export function noteOnOrganization(params: { organizationId?: string; noteId?: string }): NoteAddress {
  const id = idParam("org", params.organizationId);
  const noteId = idParam("note", params.noteId);
  return {
    subject: { type: "organization", id },
    noteId,
    path: notePath(id, noteId),
    deletionPath: notePath(id, noteId, "delete"),
    back: organizationPath(id),
  };
}
