import type { SubjectKind } from "~/access/subject";
import type { NamedSubject } from "~/lib/subject";

export const SUBMISSIONS_PATH = "/admin/submissions";

export const submissionPath = (id: string): string => `${SUBMISSIONS_PATH}/${id}`;

/** Describes submissions to whatever stores something about them. */
export const submissionKind: SubjectKind = {
  noun: "submission",
  idPrefix: "sub",
  ability: "submission.view",
  pages: { staff: submissionPath },
  listPath: SUBMISSIONS_PATH,
};

/** What the address of a note on a submission says. */
export const noteOnSubmission = ({ submissionId = "", noteId = "" }: { submissionId?: string; noteId?: string }) => ({
  subject: { type: "submission", id: submissionId } as const,
  noteId,
  back: submissionPath(submissionId),
});

export const submissionSubject = ({ id, name }: { id: string; name: string }): NamedSubject => ({
  type: "submission",
  id,
  label: name,
});
