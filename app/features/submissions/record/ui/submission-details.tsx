import type { ReactNode } from "react";
import { attachmentPath } from "~/features/attachments/model";
import type { Estimate } from "~/features/pricing/estimate";
import { estimateFacts } from "~/features/pricing/estimate-facts";
import { mailtoHref, telHref } from "~/lib/contact-links";
import type { Due } from "~/lib/due";
import type { ValidationError } from "~/lib/form";
import { fileSize } from "~/lib/text";
import { LinkButton } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { FactList } from "~/ui/fact-list";
import { Field } from "~/ui/field";
import { Notice } from "~/ui/flash";
import { Form, SubmitButton } from "~/ui/form";
import { InlineSelect } from "~/ui/inline-select";
import { Panel } from "~/ui/panel";
import { RecordLayout } from "~/ui/record-layout";
import { SaveButton } from "~/ui/save-button";
import { UserText } from "~/ui/user-text";
import { HELD_LABELS } from "../../copy";
import type { KnownSender, Repeat, SubmissionRecord } from "../../model";
import { submissionPath } from "../../subject";
import { STATUS_LOOK, STATUS_OPTIONS, SubmissionStatusPill } from "../../ui/submission-status";
import { AssignForm } from "./assign-form";
import { Repeats } from "./repeats";
import { submissionFacts } from "./submission-facts";

type SubmissionDetailsProps = {
  submission: SubmissionRecord;
  sender: KnownSender | null;
  due: Due | null;
  /** Submissions from the same address, oldest first, this one among them. */
  repeats: readonly Repeat[];
  staff: readonly { id: string; name: string }[];
  zone: string;
  /** Tokens of the forms; `null` where the reader may not use one. */
  tokens: { status: string | null; assign: string | null; release: string | null };
  /** Says what is wrong with the owner or the date. */
  validationError: ValidationError | null;
  /** Notes, reply and history. */
  children: ReactNode;
};

/** Shows one submission: what was written and said about it on the left, who wrote it and its status on the right. */
export function SubmissionDetails(props: SubmissionDetailsProps) {
  const { submission, tokens, children } = props;
  return (
    <RecordLayout id="contact" title="Contact" facts={<Facts {...props} />}>
      {submission.heldReason ? <HeldNotice submission={submission} token={tokens.release} /> : null}
      <Panel id="message" title="Message">
        {submission.message ? <UserText>{submission.message}</UserText> : <p className="text-ink-2">No message.</p>}
      </Panel>
      {submission.estimate ? <SentEstimate estimate={submission.estimate} /> : null}
      {submission.file ? <AttachedFile file={submission.file} /> : null}
      {children}
    </RecordLayout>
  );
}

/** Shows its status, who wrote it, how to contact them, and who looks after it. */
function Facts({ submission, sender, due, repeats, staff, zone, tokens, validationError }: SubmissionDetailsProps) {
  return (
    <>
      {tokens.status ? <StatusForm submission={submission} token={tokens.status} /> : null}
      {tokens.status ? null : <SubmissionStatusPill status={submission.status} />}
      <FactList facts={submissionFacts({ submission, sender, due, zone })} />
      <ButtonRow dense className="mt-4">
        <LinkButton variant="quiet" size="sm" to={mailtoHref(submission.email)}>
          Email
        </LinkButton>
        {submission.phone ? (
          <LinkButton variant="quiet" size="sm" to={telHref(submission.phone)}>
            Call
          </LinkButton>
        ) : null}
      </ButtonRow>
      <Repeats submissionId={submission.id} repeats={repeats} zone={zone} />
      {tokens.assign ? (
        <AssignForm
          submission={submission}
          staff={staff}
          token={tokens.assign}
          errors={validationError?.errors ?? {}}
        />
      ) : null}
    </>
  );
}

/** Posts to the page's own address. */
function StatusForm({ submission, token }: { submission: SubmissionRecord; token: string }) {
  return (
    <Form action={submissionPath(submission.id)} token={token} name="status" staysFilled>
      <Field name="status" label="Status">
        <InlineSelect
          tone={STATUS_LOOK[submission.status].tone}
          options={STATUS_OPTIONS}
          defaultValue={submission.status}
        />
      </Field>
      <SaveButton variant="quiet" name="intent" value="status">
        Save status
      </SaveButton>
    </Form>
  );
}

/** Tells why nobody was told about it, and offers to release it. */
function HeldNotice({ submission, token }: { submission: SubmissionRecord; token: string | null }) {
  if (!submission.heldReason) return null;
  return (
    <div>
      <Notice kind="warning" title="Held for review" message={`${HELD_LABELS[submission.heldReason]}.`} />
      {token ? (
        <Form action={submissionPath(submission.id)} token={token} name="release">
          <SubmitButton name="intent" value="release" pendingLabel="Releasing...">
            Not spam
          </SubmitButton>
        </Form>
      ) : null}
    </div>
  );
}

/** Offers a file from a stranger: nobody has checked it, and the page says so before it is opened. */
function AttachedFile({ file }: { file: NonNullable<SubmissionRecord["file"]> }) {
  return (
    <Panel id="file" title="Attachment">
      <p>
        <a href={attachmentPath(file.id)}>{file.name}</a>{" "}
        <span className="text-ink-3 text-sm">{fileSize(file.bytes)}, not scanned</span>
      </p>
    </Panel>
  );
}

/** Shows what the sender had put together on the pricing page, at the prices of that day. */
function SentEstimate({ estimate }: { estimate: Estimate }) {
  return (
    <Panel id="estimate" title="Estimate">
      <FactList facts={estimateFacts(estimate)} />
    </Panel>
  );
}
