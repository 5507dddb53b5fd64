import { type ActionFunctionArgs, json, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { brand } from "~/content/brand";
import { can } from "~/features/access/policy";
import { requireStaff } from "~/features/auth/guards.server";
import { getSettings } from "~/features/settings/queries.server";
import { changeSubmissionStatus } from "~/features/submissions/change-submission-status.server";
import { STATUS_NOT_UPDATED, STATUS_UPDATED } from "~/features/submissions/copy";
import { StatusForm } from "~/features/submissions/forms.server";
import { findSubmission, listStatusChanges } from "~/features/submissions/queries.server";
import { StatusHistory } from "~/features/submissions/ui/status-history";
import { SubmissionDetails } from "~/features/submissions/ui/submission-details";
import { parseForm } from "~/lib/form";
import { checkFormToken, issueFormToken } from "~/platform/form-token.server";
import { readForm } from "~/platform/read-form.server";
import { found, redirectWithFlash } from "~/platform/responses.server";
import { Breadcrumb } from "~/ui/breadcrumb";
import { Page } from "~/ui/page";

const STATUS_PURPOSE = "submission-status";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.submission.name ?? "Submission"} | ${brand.name} Admin` },
];

export async function loader({ context, params }: LoaderFunctionArgs) {
  const actor = await requireStaff(context, "submission.view");
  const id = params.submissionId ?? "";
  const [submission, history, settings] = await Promise.all([
    findSubmission(context.db, id),
    listStatusChanges(context.db, id),
    getSettings(context.db),
  ]);
  const mayChange = can(actor, "submission.change_status");
  return json({
    submission: found(submission),
    history,
    zone: settings.timeZone,
    statusToken: mayChange ? issueFormToken(context, STATUS_PURPOSE) : null,
  });
}

export async function action({ context, params, request }: ActionFunctionArgs) {
  const actor = await requireStaff(context, "submission.change_status");
  const submissionId = params.submissionId ?? "";
  const here = `/admin/submissions/${submissionId}`;
  const { fields } = await readForm(request);
  const token = checkFormToken(context, STATUS_PURPOSE, fields.form_token);
  const input = parseForm(StatusForm, fields);
  if (!token.ok || !input.ok) {
    return redirectWithFlash(context, here, { kind: "error", title: "Error", message: STATUS_NOT_UPDATED });
  }
  const change = { submissionId, status: input.value.status, nonce: token.value.nonce };
  const changed = await changeSubmissionStatus(context, actor, change);
  if (!changed.ok) throw new Response(null, { status: 404 });
  return redirectWithFlash(context, here, { kind: "success", ...STATUS_UPDATED });
}

export default function SubmissionPage() {
  const { submission, history, zone, statusToken } = useLoaderData<typeof loader>();
  return (
    <Page
      title={submission.name}
      breadcrumb={
        <Breadcrumb items={[{ label: "Submissions", to: "/admin/submissions" }, { label: submission.number }]} />
      }
    >
      <SubmissionDetails submission={submission} zone={zone} statusToken={statusToken} />
      <StatusHistory changes={history} zone={zone} />
    </Page>
  );
}
