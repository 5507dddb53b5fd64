import { Mail, Phone } from "lucide-react";
import { mailtoHref, telHref } from "~/lib/contact-links";
import { Breadcrumb } from "~/ui/breadcrumb";
import { Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import { ordinal, type Repeat, type SubmissionRecord } from "../../model";
import { SubmissionStatusPill } from "../../ui/submission-status";

type RecordHeadProps = {
  submission: SubmissionRecord;
  /** Submissions from the same address, oldest first, this one among them. */
  repeats: readonly Repeat[];
  /** Address of the list it was opened from, with its filter. */
  listPath: string;
  /** Addresses of the records before and after it in that list; null where there is none. */
  neighbours: { previous: string | null; next: string | null };
};

const REACH = "inline-flex min-h-7 items-center gap-[0.4rem] wrap-anywhere max-md:min-h-tap";

/** Shows who wrote, how to reach them, and the way to the list and to the records beside this one. */
export function RecordHead({ submission, repeats, listPath, neighbours }: RecordHeadProps) {
  const { name, number, company, email, phone, status, heldReason } = submission;
  const position = repeats.findIndex(({ id }) => id === submission.id) + 1;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 [&>nav]:mb-0">
        <Breadcrumb dense items={[{ label: "Submissions", to: listPath }, { label: number }]} />
        <nav className="ml-auto flex gap-4 text-sm print:hidden" aria-label="Records of the list">
          {neighbours.previous ? <Link to={neighbours.previous}>Previous</Link> : null}
          {neighbours.next ? <Link to={neighbours.next}>Next</Link> : null}
        </nav>
      </div>
      <div className="clear-both flex flex-wrap items-center gap-x-[0.9rem] gap-y-[0.35rem]">
        <h1 className="wrap-anywhere">{name}</h1>
        {heldReason ? null : <SubmissionStatusPill status={status} />}
        {position > 0 && repeats.length > 1 ? (
          <a
            className="rounded-1 border border-control px-2 py-[0.05rem] font-semibold text-xs"
            href="#same-person-title"
          >
            {ordinal(position)} request
          </a>
        ) : null}
      </div>
      <p className="mb-[0.8rem] flex flex-wrap items-center gap-x-5 gap-y-1 text-ink-2">
        {company ? <span>{company}</span> : null}
        {phone ? (
          <a className={REACH} href={telHref(phone)}>
            <Icon of={Phone} /> Call {phone}
          </a>
        ) : null}
        <a className={REACH} href={mailtoHref(email)}>
          <Icon of={Mail} /> Email {email}
        </a>
      </p>
    </>
  );
}
