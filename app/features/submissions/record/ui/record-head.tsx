import { mailtoHref, telHref } from "~/lib/contact-links";
import { Breadcrumb } from "~/ui/breadcrumb";
import { LinkButton } from "~/ui/button";
import { Icon } from "~/ui/icon";
import { Mail, Phone } from "~/ui/icons";
import { Link } from "~/ui/link";
import { ordinal, type Repeat, type SubmissionRecord } from "../../model";
import { SubmissionStatusPill } from "../../ui/submission-status";

type RecordHeadProps = {
  submission: SubmissionRecord;
  /** Lists the submissions from the same address, oldest first, this one among them. */
  repeats: readonly Repeat[];
  /** Names the list it was opened from: its address, and the records before and after this one. */
  list: { path: string; previous: string | null; next: string | null };
  /** Holds the address of the form for a new ticket; `null` where the reader may open none. */
  ticketPath: string | null;
  /** Returns the address of another record. */
  recordPath: (id: string) => string;
};

const CONTACT_LINK = "inline-flex min-h-7 items-center gap-[0.4rem] max-md:min-h-tap";

/** Shows who wrote, how to reach them, and the way to the list and to the records beside this one. */
export function RecordHead({ submission, repeats, list, ticketPath, recordPath }: RecordHeadProps) {
  const { name, number, company, email, phone, status, heldReason } = submission;
  const position = repeats.findIndex(({ id }) => id === submission.id) + 1;
  return (
    <>
      <div className="@max-narrow:block flex flex-wrap items-center gap-x-4 [&>nav]:mb-0 [&_[aria-current]]:font-mono [&_[aria-current]]:text-[0.9em]">
        <Breadcrumb dense items={[{ label: "Submissions", to: list.path }, { label: number }]} />
        <nav
          className="@max-narrow:clear-both ml-auto flex @max-narrow:justify-end gap-4 text-sm @max-narrow:*:py-2 print:hidden"
          aria-label="Records of the list"
        >
          {list.previous ? <Link to={recordPath(list.previous)}>Previous</Link> : null}
          {list.next ? <Link to={recordPath(list.next)}>Next</Link> : null}
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
            {ordinal(position)} submission
          </a>
        ) : null}
        {ticketPath ? (
          <LinkButton className="ml-auto print:hidden" variant="quiet" size="sm" to={ticketPath}>
            Open ticket
          </LinkButton>
        ) : null}
      </div>
      <p className="wrap-anywhere mb-[0.8rem] flex max-w-none flex-wrap items-center gap-x-5 gap-y-1 text-ink-2">
        {company ? <span>{company}</span> : null}
        {phone ? (
          <a className={CONTACT_LINK} href={telHref(phone)}>
            <Icon of={Phone} /> Call {phone}
          </a>
        ) : null}
        <a className={CONTACT_LINK} href={mailtoHref(email)}>
          <Icon of={Mail} /> Email {email}
        </a>
      </p>
    </>
  );
}
