import { idParam } from "~/platform/route-responses.server";
import { recordPath, submissionList } from "./list/definition";
import { notePath } from "./subject";

type Address = { params: { submissionId?: string; noteId?: string }; searchParams: URLSearchParams };

/**
 * Returns what the address of a note on a submission says: the note, the addresses of its pages, and the way back to
 * the record, with the filter of the list it was opened from. Throws a 404 response if it names no ids.
 */
export function noteOnSubmission({ params, searchParams }: Address) {
  const id = idParam("sub", params.submissionId);
  const noteId = idParam("note", params.noteId);
  const filter = submissionList.readFilter(searchParams);
  const query = submissionList.query(filter);
  return {
    subject: { type: "submission", id } as const,
    noteId,
    path: notePath(id, noteId, { query }),
    deletionPath: notePath(id, noteId, { page: "delete", query }),
    back: recordPath(id, filter),
  };
}
