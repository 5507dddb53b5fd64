import type { InvitationState } from "~/features/invitations/model";
import { MAIL_STATUS_LABELS, UNDELIVERED } from "~/features/mail/model";
import { userPath } from "~/features/users/subject";
import { ButtonRow } from "~/ui/button-row";
import { ErrorSummary } from "~/ui/error-summary";
import { FactList } from "~/ui/fact-list";
import { Form, SubmitButton } from "~/ui/form";
import { formKey, useFormResult } from "~/ui/form-answer";
import { Panel } from "~/ui/panel";
import { Time } from "~/ui/time";
import type { PersonAnswer } from "../model";

type InvitationPanelProps = { userId: string; invitation: InvitationState; token: string; zone: string };

/** Shows what became of the invitation of an account, and what can be done about it. */
export function InvitationPanel({ userId, invitation, token, zone }: InvitationPanelProps) {
  const { invitedBy, sentAt, expiresAt, state, mail, failure } = invitation;
  const path = userPath(userId);
  const hasFailed = UNDELIVERED.some((status) => status === mail);
  const answer = useFormResult<PersonAnswer>(formKey(path, "invitation")) ?? null;
  const isRejected = answer !== null && Object.keys(answer.errors).length > 0;
  const mailWords = mail === null ? null : MAIL_STATUS_LABELS[mail];
  return (
    <Panel id="invitation" title="Invitation">
      {isRejected ? <ErrorSummary className="mb-3" title={answer.title} errors={answer.errors} /> : null}
      <FactList
        facts={[
          { term: "Invited by", detail: invitedBy },
          { term: "Sent", detail: <Time at={sentAt} zone={zone} mode="short" /> },
          {
            term: state === "expired" ? "Expired" : "Expires",
            detail: <Time at={expiresAt} zone={zone} mode="short" />,
          },
          { term: "Email", detail: hasFailed && failure ? `${mailWords}: ${failure}` : mailWords },
        ]}
      />
      {answer?.link ? (
        <p className="my-3">
          Hand this link over yourself. It is shown only now, and replaces the one that was mailed.
          <span className="wrap-anywhere mt-1 block font-mono text-sm">{answer.link}</span>
        </p>
      ) : null}
      <Form action={path} token={token} name="invitation">
        <ButtonRow dense>
          <SubmitButton variant="quiet" size="sm" name="intent" value="resend">
            Resend
          </SubmitButton>
          <SubmitButton variant="quiet" size="sm" name="intent" value="revoke">
            Revoke
          </SubmitButton>
          {hasFailed ? (
            <SubmitButton variant="quiet" size="sm" name="intent" value="copy_link">
              Copy link
            </SubmitButton>
          ) : null}
        </ButtonRow>
      </Form>
    </Panel>
  );
}
