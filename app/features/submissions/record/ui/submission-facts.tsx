import type { Due } from "~/lib/due";
import { DueText } from "~/ui/due";
import type { Fact } from "~/ui/fact-list";
import { Mono } from "~/ui/mono";
import { Time } from "~/ui/time";
import type { KnownSender, SubmissionRecord } from "../../model";

type Facts = {
  submission: SubmissionRecord;
  sender: KnownSender | null;
  /** Tells how the promise of an answer stands; null where none was given. */
  due: Due | null;
  zone: string;
};

/** Lists who wrote, from where and when, and what they may expect. */
export const submissionFacts = ({ submission, sender, due, zone }: Facts): Fact[] => [
  { term: "Number", detail: <Mono>{submission.number}</Mono> },
  { term: "Email", detail: submission.email },
  { term: "Phone", detail: submission.phone },
  { term: "Company", detail: submission.company },
  { term: "Account", detail: sender ? senderText(sender) : "None with this address" },
  { term: "Submitted", detail: <Time at={submission.submittedAt} zone={zone} /> },
  ...(due ? [{ term: "Promise", detail: <Promised due={due} zone={zone} /> }] : []),
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

/** Tells in words how the promise stands, without a clock that runs. */
function Promised({ due, zone }: { due: Due; zone: string }) {
  return (
    <>
      <DueText due={due} strong />
      <span className="block text-ink-3 text-xs">
        1 business day, until <Time at={due.dueAt} zone={zone} />
      </span>
    </>
  );
}
