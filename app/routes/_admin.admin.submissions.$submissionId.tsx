import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { recordActions } from "~/features/submissions/record/actions.server";
import {
  SubmissionComposer,
  SubmissionConversation,
  useRecordErrors,
} from "~/features/submissions/record/conversation";
import { herePath, readRecord } from "~/features/submissions/record/read-record.server";
import {
  ModerationNotice,
  RecordHead,
  SubmissionProperties,
  SubmissionSidebar,
} from "~/features/submissions/record/record";
import { listStaff } from "~/features/users/queries.server";
import { readOrNull } from "~/features/workspace/load-list.server";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { ErrorSummary } from "~/ui/form";
import { RecordLayout } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const handle = { hasReply: true };

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, page.data?.submission.name ?? "Submission");

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "submission.view");
  const id = idParam("sub", params.submissionId);
  const { searchParams } = context.request.url;
  const asked = { id, params: searchParams, staffRead: readOrNull(context, "staff_failed", listStaff(context.db)) };
  return json({
    ...orNotFound(await readRecord(context, actor, asked)),
    path: herePath(id, searchParams),
    tokens: formTokens(context, actor, recordActions),
    hasErrors: context.form.isRejected,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "submission.view");
  const submissionId = idParam("sub", params.submissionId);
  const path = herePath(submissionId, context.request.url.searchParams);
  return runFormAction(context, recordActions, { actor, request, params: { submissionId, path } });
}

export default function SubmissionPage() {
  const page = useLoaderData<typeof loader>();
  const errors = useRecordErrors(page.path);
  const refused = errors.release ?? errors.unlink;
  return (
    <div key={page.submission.id}>
      <RecordHead {...page} />
      {refused ? <ErrorSummary title={refused.title} errors={refused.errors} /> : null}
      <ModerationNotice {...page} />
      <SubmissionProperties {...page} error={errors.handling} />
      <RecordLayout sidebar={<SubmissionSidebar {...page} />}>
        <SubmissionConversation {...page} />
        <SubmissionComposer {...page} errors={errors} />
      </RecordLayout>
    </div>
  );
}
