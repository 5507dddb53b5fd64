import type { ReactNode } from "react";
import type { Estimate } from "~/features/pricing/estimate";
import { estimateFacts } from "~/features/pricing/ui/estimate-summary";
import type { ValidationError } from "~/lib/form";
import { fileSize } from "~/lib/text";
import { LinkButton } from "~/ui/button";
import { FactList } from "~/ui/fact-list";
import { Field } from "~/ui/field";
import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";
import { SetSelect } from "~/ui/select";
import { HELD_LABELS } from "../../copy";
import type { HeldReason, SubmissionStatus } from "../../model";
import { STATUS_LOOK, STATUS_OPTIONS, SubmissionStatusPill } from "../../ui/submission-status";
import { AssignForm } from "./assign-form";
import { Repeats, type RepeatView } from "./repeats";
import { type FactsView, submissionFacts } from "./submission-facts";

export type SubmissionView = Omit<FactsView, "isHeld" | "sender" | "promise"> & {
  id: string;
  name: string;
  message: string | null;
  status: SubmissionStatus;
  heldReason: HeldReason | null;
  owner: { id: string; name: string } | null;
  followUpOn: string | null;
  estimate: Estimate | null;
  file: { id: string; name: string; bytes: number } | null;
};

type SubmissionDetailsProps = {
  submission: SubmissionView;
  sender: FactsView["sender"];
  promise: FactsView["promise"];
  /** Requests from the same address, oldest first, this one among them. */
  repeats: readonly RepeatView[];
  staff: readonly { id: string; name: string }[];
  zone: string;
  /** Tokens of the forms; `null` where the reader may not use one. */
  tokens: { status: string | null; assign: string | null; release: string | null };
  /** What is wrong with the owner or the date. */
  validationError: ValidationError | null;
  /** Notes, reply and history. */
  children: ReactNode;
};

/** One submission: what was written and said about it on the left, who wrote it and where it stands on the right. */
export function SubmissionDetails(props: SubmissionDetailsProps) {
  const { submission, sender, promise, repeats, staff, zone, tokens, validationError, children } = props;
  const facts = { ...submission, isHeld: submission.heldReason !== null, sender, promise };
  return (
    <div className="case">
      <div>
        {submission.heldReason ? <HeldNotice submission={submission} token={tokens.release} /> : null}
        <section className="sheet" aria-labelledby="message-title">
          <h2 id="message-title">Message</h2>
          {submission.message ? <p className="words">{submission.message}</p> : <p className="muted">No message.</p>}
        </section>
        {submission.estimate ? <SentEstimate estimate={submission.estimate} /> : null}
        {submission.file ? <AttachedFile file={submission.file} /> : null}
        {children}
      </div>
      <aside className="facts" aria-labelledby="contact-title">
        <h2 id="contact-title">Contact</h2>
        {tokens.status ? <StatusForm submission={submission} token={tokens.status} /> : null}
        {tokens.status ? null : <SubmissionStatusPill status={submission.status} />}
        <FactList facts={submissionFacts(facts, zone)} />
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
        <Repeats submissionId={submission.id} repeats={repeats} zone={zone} />
        {tokens.assign ? (
          <AssignForm
            submission={submission}
            staff={staff}
            token={tokens.assign}
            errors={validationError?.errors ?? {}}
          />
        ) : null}
      </aside>
    </div>
  );
}

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
      <SubmitButton variant="quiet" name="intent" value="status" pendingLabel="Saving...">
        Save status
      </SubmitButton>
    </Form>
  );
}

/** Why nobody was told about it, and the way out. */
function HeldNotice({ submission, token }: { submission: SubmissionView; token: string | null }) {
  if (!submission.heldReason) return null;
  return (
    <div>
      <Notice kind="warning" title="Held for review" message={`${HELD_LABELS[submission.heldReason]}.`} />
      {token ? (
        <Form action={`/admin/submissions/${submission.id}`} token={token}>
          <SubmitButton name="intent" value="release" pendingLabel="Releasing...">
            Not spam
          </SubmitButton>
        </Form>
      ) : null}
    </div>
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
