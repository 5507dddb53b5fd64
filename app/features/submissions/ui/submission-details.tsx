import type { Estimate } from "~/features/pricing/estimate";
import { estimateFacts } from "~/features/pricing/ui/estimate-summary";
import { fileSize } from "~/lib/text";
import type { Instant } from "~/lib/time";
import { LinkButton } from "~/ui/button";
import { type Fact, FactList } from "~/ui/fact-list";
import { Field } from "~/ui/field";
import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";
import { Mono } from "~/ui/mono";
import { SetSelect } from "~/ui/select";
import { Time } from "~/ui/time-ago";
import { HELD_LABELS } from "../copy";
import type { HeldReason, SubmissionStatus } from "../model";
import { STATUS_LOOK, STATUS_OPTIONS, SubmissionStatusPill } from "./submission-status";

export type SubmissionView = {
  id: string;
  number: string;
  name: string;
  email: string;
  phone: string | null;
  company: string | null;
  message: string | null;
  status: SubmissionStatus;
  heldReason: HeldReason | null;
  submittedAt: Instant;
  consentAt: Instant;
  consentTermsVersion: string;
  estimate: Estimate | null;
  file: { id: string; name: string; bytes: number } | null;
};

type SubmissionDetailsProps = {
  submission: SubmissionView;
  zone: string;
  /** Token of the status form; `null` where the reader may not change the status. */
  statusToken: string | null;
};

/** One submission: what was written on the left, who wrote it and where it stands on the right. */
export function SubmissionDetails({ submission, zone, statusToken }: SubmissionDetailsProps) {
  return (
    <div className="case">
      <div>
        {submission.heldReason ? (
          <Notice kind="warning" title="Held for review" message={`${HELD_LABELS[submission.heldReason]}.`} />
        ) : null}
        <section className="sheet" aria-labelledby="message-title">
          <h2 id="message-title">Message</h2>
          {submission.message ? <p className="words">{submission.message}</p> : <p className="muted">No message.</p>}
        </section>
        {submission.estimate ? <SentEstimate estimate={submission.estimate} /> : null}
        {submission.file ? <AttachedFile file={submission.file} /> : null}
      </div>
      <aside className="facts" aria-labelledby="contact-title">
        <h2 id="contact-title">Contact</h2>
        {statusToken ? <StatusForm submission={submission} token={statusToken} /> : null}
        {statusToken ? null : <SubmissionStatusPill status={submission.status} />}
        <FactList facts={facts(submission, zone)} />
        <div className="acts-row">
          <LinkButton variant="quiet" size="sm" to={`mailto:${submission.email}`}>
            Email
          </LinkButton>
          {submission.phone ? (
            <LinkButton variant="quiet" size="sm" to={`tel:${submission.phone.replace(/[^+\d]/g, "")}`}>
              Call
            </LinkButton>
          ) : null}
        </div>
      </aside>
    </div>
  );
}

const facts = (submission: SubmissionView, zone: string): Fact[] => [
  { term: "Number", detail: <Mono>{submission.number}</Mono> },
  { term: "Email", detail: submission.email },
  { term: "Phone", detail: submission.phone },
  { term: "Company", detail: submission.company },
  { term: "Submitted", detail: <Time at={submission.submittedAt} zone={zone} /> },
  {
    term: "Consent",
    detail: (
      <>
        Terms version {submission.consentTermsVersion}, <Time at={submission.consentAt} zone={zone} />
      </>
    ),
  },
];

/** Posts to the page's own address. */
function StatusForm({ submission, token }: { submission: SubmissionView; token: string }) {
  return (
    <Form action={`/admin/submissions/${submission.id}`} token={token}>
      <Field name="status" label="Status">
        <SetSelect
          tone={STATUS_LOOK[submission.status].tone}
          options={STATUS_OPTIONS}
          defaultValue={submission.status}
        />
      </Field>
      <SubmitButton pendingLabel="Saving...">Save</SubmitButton>
    </Form>
  );
}

/** A file from a stranger: nobody has checked it, and the page says so before it is opened. */
function AttachedFile({ file }: { file: NonNullable<SubmissionView["file"]> }) {
  return (
    <section className="sheet" aria-labelledby="file-title">
      <h2 id="file-title">Attachment</h2>
      <p>
        <a href={`/admin/attachments/${file.id}`}>{file.name}</a>{" "}
        <span className="meta">{fileSize(file.bytes)}, not scanned</span>
      </p>
    </section>
  );
}

/** What the sender had put together on the pricing page, at the prices of that day. */
function SentEstimate({ estimate }: { estimate: Estimate }) {
  return (
    <section className="sheet" aria-labelledby="estimate-title">
      <h2 id="estimate-title">Estimate</h2>
      <FactList facts={estimateFacts(estimate)} />
    </section>
  );
}
