import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { brand } from "~/content/brand";
import { requireStaff } from "~/features/auth/guards.server";
import { listedNote } from "~/features/notes/listed-note.server";
import { listNotes } from "~/features/notes/queries.server";
import { NoteList } from "~/features/notes/ui/note-list";
import { rootBrand } from "~/features/settings/brand";
import { getSettings } from "~/features/settings/queries.server";
import { findSubmission, listRepeats, listTimeline } from "~/features/submissions/queries.server";
import { recordActions } from "~/features/submissions/record/actions.server";
import { findFirstResponse, findKnownSender } from "~/features/submissions/record/queries.server";
import { ReplyForm } from "~/features/submissions/record/ui/reply-form";
import { SubmissionDetails } from "~/features/submissions/record/ui/submission-details";
import { Timeline } from "~/features/submissions/record/ui/timeline";
import { useRecordErrors } from "~/features/submissions/record/ui/use-record-errors";
import { replyDue } from "~/features/submissions/reply-target";
import { SUBMISSIONS_PATH, submissionPath } from "~/features/submissions/subject";
import { listStaff } from "~/features/users/queries.server";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/route-responses.server";
import { Breadcrumb } from "~/ui/breadcrumb";
import { ErrorSummary } from "~/ui/error-summary";
import { Page } from "~/ui/page";

export { AreaError as ErrorBoundary } from "~/ui/area-error";
export { clientAction, shouldRevalidate } from "~/ui/not-saved";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => [
  {
    title: `${data?.hasErrors ? "Error: " : ""}${data?.submission.name ?? "Submission"} | ${rootBrand(matches).name} Admin`,
  },
];

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "submission.view");
  const id = idParam("sub", params.submissionId);
  const [submission, timeline, notes, repeats, sender, answeredAt, staff, settings] = await Promise.all([
    findSubmission(context.db, id),
    listTimeline(context.db, id),
    listNotes(context.db, { type: "submission", id }),
    listRepeats(context.db, id),
    findKnownSender(context.db, id),
    findFirstResponse(context.db, id),
    listStaff(context.db),
    getSettings(context.db),
  ]);
  const { submittedAt, status, heldReason } = orNotFound(submission);
  const zone = settings.timeZone;
  const facts = {
    zone,
    openingHours: brand.openingHours,
    now: context.now(),
    submittedAt,
    isNew: status === "new",
    answeredAt,
  };
  return json({
    submission: orNotFound(submission),
    sender,
    due: heldReason ? null : replyDue(facts),
    timeline,
    notes: notes.map((note) => listedNote(actor, note)),
    repeats,
    staff,
    zone,
    tokens: formTokens(context, actor, recordActions),
    /** A form that was accepted has led elsewhere. */
    hasErrors: context.request.method === "POST",
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "submission.view");
  const submissionId = idParam("sub", params.submissionId);
  return runFormAction(context, recordActions, { actor, request, params: { submissionId } });
}

export default function SubmissionPage() {
  const { submission, sender, due, timeline, notes, repeats, staff, zone, tokens } = useLoaderData<typeof loader>();
  const path = submissionPath(submission.id);
  const errors = useRecordErrors(path);
  // The two forms with a text show their errors themselves, beside the text.
  const general = errors.status ?? errors.release;
  return (
    <Page
      title={submission.name}
      breadcrumb={
        <Breadcrumb dense items={[{ label: "Submissions", to: SUBMISSIONS_PATH }, { label: submission.number }]} />
      }
    >
      {general ? <ErrorSummary className="mb-7" title={general.title} errors={general.errors} /> : null}
      <SubmissionDetails
        submission={submission}
        sender={sender}
        due={due}
        repeats={repeats}
        staff={staff}
        zone={zone}
        tokens={tokens}
        validationError={errors.assign}
      >
        <NoteList notes={notes} zone={zone} path={path} token={tokens.note} validationError={errors.note} />
        {tokens.reply ? (
          <ReplyForm submission={submission} token={tokens.reply} validationError={errors.reply} />
        ) : null}
        <Timeline entries={timeline} notes={notes} zone={zone} />
      </SubmissionDetails>
    </Page>
  );
}
