import type { SubjectKind } from "~/access/policy";
import type { NamedSubject } from "~/lib/subject";

export const SUBMISSIONS_PATH = "/admin/submissions";

export const DELETION_PATH = `${SUBMISSIONS_PATH}/delete`;

export const submissionPath = (id: string): string => `${SUBMISSIONS_PATH}/${encodeURIComponent(id)}`;

export const makeClientPath = (id: string): string => `${submissionPath(id)}/client`;

export const submissionKind: SubjectKind = {
  noun: "submission",
  idPrefix: "sub",
  ability: "submission.view",
  pages: { staff: submissionPath },
  listPath: SUBMISSIONS_PATH,
};

export const submissionSubject = ({ id, name }: { id: string; name: string }): NamedSubject => ({
  type: "submission",
  id,
  label: name,
});

const withQuery = (path: string, query: string): string => (query ? `${path}?${query}` : path);

/** The query of the list stays in it, for the way back. */
export const listedSubmissionPath = (id: string, query: string): string => withQuery(submissionPath(id), query);

export const notePath = (id: string, noteId: string, { page = "", query = "" } = {}): string =>
  withQuery(`${submissionPath(id)}/notes/${encodeURIComponent(noteId)}${page && `/${page}`}`, query);
