import { Fragment } from "react";
import { type Fact, FactList } from "~/ui/fact-list";
import { Link } from "~/ui/link";
import { Mono } from "~/ui/mono";
import { Panel } from "~/ui/panel";
import { Time } from "~/ui/time";
import { STATUS_LABELS } from "../../copy";
import type { Repeat, SubmissionRecord } from "../../model";
import type { SenderPart } from "../record-words";
import { FileLink } from "./conversation";

/** Describes an estimate line by line, and where it is made again. */
type Estimated = { facts: readonly Fact[]; path: string };

type RailProps = {
  submission: SubmissionRecord;
  /** Says in words who has an account with the address, where the visitor came from, and the estimate, line by line. */
  about: { sender: readonly SenderPart[] | null; source: string; estimate: Estimated | null };
  /** Lists the submissions from the same address, oldest first, this one among them. */
  repeats: readonly Repeat[];
  zone: string;
  /** Returns the address of another record. */
  recordPath: (id: string) => string;
};

/** Shows what belongs to the record beside its conversation: estimate, file, the same person, where it came from. */
export function Rail({ submission, about, repeats, zone, recordPath }: RailProps) {
  const { file } = submission;
  const { sender, source, estimate } = about;
  const others = repeats.filter(({ id }) => id !== submission.id);
  return (
    <aside className="grid gap-4" aria-label="About this submission">
      {estimate ? (
        <Panel id="estimate" title="Estimate">
          <FactList facts={estimate.facts} />
          <p className="mt-1 text-sm print:hidden">
            <Link to={estimate.path}>Open at today's prices</Link>
          </p>
        </Panel>
      ) : null}
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
          {sender ? (
            <li>
              {sender.map(({ text, to }, index) => (
                <Fragment key={to ?? text}>
                  {index > 0 ? ", " : null}
                  {to ? <Link to={to}>{text}</Link> : text}
                </Fragment>
              ))}
            </li>
          ) : (
            <li className="text-ink-2 text-sm">No client account</li>
          )}
        </ul>
      </Panel>
      <Panel id="details" title="Details">
        <FactList facts={detailFacts(submission, source, zone)} />
      </Panel>
    </aside>
  );
}

const detailFacts = (submission: SubmissionRecord, source: string, zone: string) => [
  { term: "Submitted", detail: <Time at={submission.submittedAt} zone={zone} /> },
  { term: "Source", detail: source },
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
