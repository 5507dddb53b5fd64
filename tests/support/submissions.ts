import { addNote } from "~/features/notes/commands.server";
import { changeSubmissionStatus } from "~/features/submissions/changes.server";
import type { NewSubmission } from "~/features/submissions/intake/submit-contact.server";
import {
  bulkChangeStatus,
  deleteSubmissions,
  releaseSubmission,
  releaseSubmissions,
} from "~/features/submissions/list/commands.server";
import type { SubmissionStatus } from "~/features/submissions/model";
import { findSubmission } from "~/features/submissions/queries.server";
import { replyToSubmission, saveSubmissionProperties } from "~/features/submissions/record/commands.server";
import { type TestContext, testContext } from "./context";
import { as, makePerson, signedInAs } from "./factories";
import { interruptedBeforeCommit } from "./interrupted-commit";
import { newForm } from "./requests";
import { selectSubmissions } from "./submission-list";

type Row = { id: string; version?: number };

/** Selects rows as a list shows them that was read before anything happened to them. */
const selectRows = (rows: readonly Row[]) => selectSubmissions(rows.map(({ id, version = 1 }) => ({ id, version })));

/** Creates a member of staff, and returns what they do with submissions. */
export async function submissionStaff(base = testContext(), person: Parameters<typeof makePerson>[1] = {}) {
  const made = await makePerson(base, { role: "admin", fullName: "Avery Quinn", ...person });
  return { base, person: made, ...submissionCommands(as(base, made), signedInAs(made, base.now())) };
}

/** Returns what a member of staff does with submissions. Each call is a form of its own, unless it says which. */
function submissionCommands(ctx: TestContext, actor: ReturnType<typeof signedInAs>) {
  return {
    ctx,
    actor,
    setStatus: (submissionId: string, status: SubmissionStatus, nonce = newForm()) =>
      changeSubmissionStatus(ctx, actor, { submissionId, status, nonce }),
    reply: (submissionId: string, changes: Partial<Parameters<typeof replyToSubmission>[2]> = {}) =>
      replyToSubmission(ctx, actor, {
        ...{ submissionId, message: "Monday works.", contacted: true, nonce: newForm(), ...changes },
      }),
    save: (submissionId: string, changes: Partial<Parameters<typeof saveSubmissionProperties>[2]>) =>
      saveSubmissionProperties(ctx, actor, { submissionId, nonce: newForm(), ...changes }),
    note: (id: string, note = "Call back", nonce = newForm()) =>
      addNote(ctx, actor, { subject: { type: "submission", id }, note, nonce }),
    release: (submissionId: string, nonce = newForm()) => releaseSubmission(ctx, actor, { submissionId, nonce }),
    setStatusOf: (rows: readonly Row[], status: SubmissionStatus, nonce = newForm()) =>
      bulkChangeStatus(ctx, actor, { selection: selectRows(rows), status, nonce }),
    releaseAll: (rows: readonly Row[], nonce = newForm()) =>
      releaseSubmissions(ctx, actor, { selection: selectRows(rows), nonce }),
    remove: (rows: readonly Row[], nonce = newForm()) => deleteSubmissions(ctx, { selection: selectRows(rows), nonce }),
    /** Returns the same person, whose next change meets what somebody else does just before it is stored. */
    interruptedBy: (work: () => Promise<unknown>) => submissionCommands(interruptedBeforeCommit(ctx, work), actor),
  };
}

/** Returns the status of a submission, the id of its owner and its day of the follow-up. */
export async function handlingOf(ctx: Pick<TestContext, "db">, id: string) {
  const submission = await findSubmission(ctx.db, id);
  return [submission?.status, submission?.owner?.id ?? null, submission?.followUpOn];
}

/** Returns a contact form as it has been read. */
export function contactRequest(
  input: Partial<NewSubmission["input"]> = {},
  changes: Partial<NewSubmission> = {},
): NewSubmission {
  const person = { first_name: "Priya", last_name: "Raman", email: "priya@larkspur.example", phone: null };
  const message = { company: "Larkspur Row", message: "Eleven laptops.", agreed_to_terms: "on" } as const;
  const read = { file: null, nonce: newForm(), termsVersion: "2026-11-01", moderationReason: null };
  return { input: { ...person, ...message, ...input }, ...read, ...changes };
}
