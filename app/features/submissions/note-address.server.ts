import { idParam } from "~/platform/route-responses.server";
import { submissionPath } from "./subject";

/** Returns what the address of a note on a submission says. Throws a 404 response if it names no ids. */
export function noteOnSubmission(params: { submissionId?: string; noteId?: string }) {
  const id = idParam("sub", params.submissionId);
  return {
    subject: { type: "submission", id } as const,
    noteId: idParam("note", params.noteId),
    back: submissionPath(id),
  };
}
