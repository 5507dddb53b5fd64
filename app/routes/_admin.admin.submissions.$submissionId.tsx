import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { requireStaff } from "~/features/auth/guards.server";
import { adminTitle } from "~/features/settings/brand";
import { recordPath, submissionList } from "~/features/submissions/list/definition";
import { CONVERSATION_FILTERS, type ConversationFilter } from "~/features/submissions/model";
import { recordActions } from "~/features/submissions/record/actions.server";
import {
  SubmissionComposer,
  SubmissionConversation,
  useRecordErrors,
} from "~/features/submissions/record/conversation";
import { readRecord } from "~/features/submissions/record/read-record.server";
import {
  ModerationNotice,
  RecordHead,
  SubmissionProperties,
  SubmissionSidebar,
} from "~/features/submissions/record/record";
import { listedSubmissionPath, notePath } from "~/features/submissions/subject";
import { listStaff } from "~/features/users/queries.server";
import { readOrNull } from "~/features/workspace/read-or-null.server";
import { formTokens, runFormAction } from "~/platform/form-actions.server";
import { idParam, orNotFound } from "~/platform/responses.server";
import { ErrorSummary } from "~/ui/error-summary";
import { RecordLayout } from "~/ui/page";

export { clientAction, clientLoader, ErrorBoundary, shouldRevalidate } from "~/features/workspace/area-page";

export const handle = { hasReply: true };

export const meta: MetaFunction<typeof loader> = (page) => adminTitle(page, page.data?.submission.name ?? "Submission");

/** Returns the address of the record that its forms lead back to: with the filter of the list, and what is shown. */
function herePath(id: string, params: URLSearchParams): string {
  const show = CONVERSATION_FILTERS.find((shown) => shown !== "all" && shown === params.get("show")) ?? null;
  return recordPath(id, submissionList.readFilter(params), { show });
}

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
  const {
    submission,
    conversation,
    repeats,
    about,
    staff,
    ownId,
    zone,
    list,
    due,
    sent,
    ticketPath,
    clientPath,
    path,
    tokens,
  } = useLoaderData<typeof loader>();
  const errors = useRecordErrors(path);
  const refused = errors.release ?? errors.unlink;
  const pathOf = (other: string) => listedSubmissionPath(other, list.query);
  const pathTo = ({ show = "all", until }: { show?: ConversationFilter; until?: number }) => {
    const params = new URLSearchParams(list.query);
    if (show !== "all") params.set("show", show);
    if (until) params.set("until", String(until));
    return listedSubmissionPath(submission.id, params.toString());
  };
  return (
    <div>
      <RecordHead
        submission={submission}
        repeats={repeats}
        list={list}
        ticketPath={ticketPath}
        clientPath={clientPath}
        recordPath={pathOf}
        path={path}
        unlinkToken={tokens.unlink}
      />
      {refused ? <ErrorSummary title={refused.title} errors={refused.errors} /> : null}
      {about.held ? <ModerationNotice reason={about.held} path={path} token={tokens.release} /> : null}
      <SubmissionProperties
        submission={submission}
        due={due}
        staff={staff}
        zone={zone}
        ownId={ownId}
        path={path}
        token={tokens.handling}
        error={errors.handling}
      />
      <RecordLayout
        sidebar={
          <SubmissionSidebar submission={submission} about={about} repeats={repeats} zone={zone} recordPath={pathOf} />
        }
      >
        <SubmissionConversation
          submission={submission}
          conversation={conversation}
          zone={zone}
          sent={sent}
          notePath={(noteId, page) => notePath(submission.id, noteId, { page, query: list.query })}
          pathTo={pathTo}
          resend={{ path, token: tokens.resend }}
        />
        <SubmissionComposer submission={submission} sent={sent} path={path} tokens={tokens} errors={errors} />
      </RecordLayout>
    </div>
  );
}
