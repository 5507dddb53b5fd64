import type { Fact } from "~/ui/fact-list";
import { Mono } from "~/ui/mono";
import { StateText } from "~/ui/state-text";
import { Time } from "~/ui/time";
import type { KnownSender, SubmissionRecord } from "../../model";
import { leftInWords, type ResponseTarget } from "../response-target";

type Facts = {
  submission: SubmissionRecord;
  sender: KnownSender | null;
  /** Tells how the target for an answer stands; null where none was given. */
  target: ResponseTarget | null;
  zone: string;
};

/** Lists who wrote, from where and when, and what they may expect. */
export const submissionFacts = ({ submission, sender, target, zone }: Facts): Fact[] => [
  { term: "Number", detail: <Mono>{submission.number}</Mono> },
  { term: "Email", detail: submission.email },
  { term: "Phone", detail: submission.phone },
  { term: "Company", detail: submission.company },
  { term: "Account", detail: sender ? senderText(sender) : "None with this address" },
  { term: "Submitted", detail: <Time at={submission.submittedAt} zone={zone} /> },
  ...(target ? [{ term: "Promise", detail: <TargetState target={target} zone={zone} /> }] : []),
  { term: "Source", detail: sourceText(submission) },
  { term: "Review", detail: submission.heldReason ? "Held" : "Passed" },
  {
    term: "Consent",
    detail: (
      <>
        <Time at={submission.consentAt} zone={zone} />
        <span className="block text-ink-3 text-xs">Terms of {submission.consentTermsVersion}</span>
      </>
    ),
  },
];

/** Returns "Dana Whitlock, Brightsmile Dental (owner)" or "Invited to Harbor House Counseling". */
function senderText({ account, memberships }: KnownSender): string {
  const places = memberships.map(({ organization, role, status }) =>
    status === "active" ? `${organization} (${role})` : `${organization} (${role}, ${status})`,
  );
  if (!account) return `Invited to ${memberships.map(({ organization }) => organization).join(", ")}`;
  const staff = account.role === "user" ? [] : [`staff (${account.role})`];
  const where = [...staff, ...places];
  return [account.name, ...(where.length > 0 ? where : ["no organization"])].join(", ");
}

function sourceText({ source, campaign }: SubmissionRecord): string {
  if (source === null && campaign === null) return "Not known";
  return [source, campaign ? `campaign ${campaign}` : null].filter((part) => part !== null).join(", ");
}

/** Tells in words how the target stands, without a clock that runs. */
function TargetState({ target, zone }: { target: ResponseTarget; zone: string }) {
  switch (target.state) {
    case "running":
      return (
        <>
          1 business day – {leftInWords(target.left)}
          <span className="block text-ink-3 text-xs">
            until <Time at={target.dueAt} zone={zone} />
          </span>
        </>
      );
    case "overdue":
      return (
        <>
          <StateText tone="waiting">1 business day – overdue</StateText>
          <span className="block text-ink-3 text-xs">
            since <Time at={target.dueAt} zone={zone} />
          </span>
        </>
      );
    case "kept":
    case "late":
      return (
        <>
          1 business day – {target.state === "kept" ? "kept" : "answered late"}
          <span className="block text-ink-3 text-xs">
            <Time at={target.answeredAt} zone={zone} />
          </span>
        </>
      );
  }
}
