import type { Estimate } from "~/features/pricing/estimate";
import { estimateFacts } from "~/features/pricing/estimate-facts";
import { FactList } from "~/ui/fact-list";
import { Link } from "~/ui/link";
import { Mono } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { Time } from "~/ui/time";
import { STATUS_LABELS } from "../../copy";
import type { KnownSender, Repeat, SubmissionRecord } from "../../model";
import { FileLink } from "./conversation";

type RailProps = {
  submission: SubmissionRecord;
  sender: KnownSender | null;
  /** Submissions from the same address, oldest first, this one among them. */
  repeats: readonly Repeat[];
  zone: string;
  /** Returns the address of another record. */
  recordPath: (id: string) => string;
};

/** Shows what belongs to the record beside its conversation: estimate, file, the same person, where it came from. */
export function Rail({ submission, sender, repeats, zone, recordPath }: RailProps) {
  const { estimate, file } = submission;
  const others = repeats.filter(({ id }) => id !== submission.id);
  return (
    <aside className="grid gap-4" aria-label="About this request">
      {estimate ? <SentEstimate estimate={estimate} /> : null}
      {file ? (
        <Panel id="file" title="File">
          <p>
            <FileLink file={file} />
          </p>
        </Panel>
      ) : null}
      <Panel id="same-person" title="Same person">
        <ul className="grid gap-2">
          {others.map(({ id, number, submittedAt, status }) => (
            <li key={id}>
              <Link to={recordPath(id)}>
                <Mono>{number}</Mono>
              </Link>
              , <Time at={submittedAt} zone={zone} mode="date" />
              <span className="block text-ink-2 text-xs">{STATUS_LABELS[status]}</span>
            </li>
          ))}
          <li className={sender ? undefined : "text-ink-2 text-sm"}>
            {sender ? senderText(sender) : "No client account"}
          </li>
        </ul>
      </Panel>
      <Panel id="details" title="Details">
        <FactList facts={detailFacts(submission, zone)} />
      </Panel>
    </aside>
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

const detailFacts = (submission: SubmissionRecord, zone: string) => [
  { term: "Submitted", detail: <Time at={submission.submittedAt} zone={zone} /> },
  { term: "Source", detail: sourceText(submission) },
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
  return [source ?? "direct", campaign ? `campaign ${campaign}` : null].filter((part) => part !== null).join(", ");
}
