import { Fragment, type ReactNode } from "react";
import {
  exampleTag,
  firstDays,
  handoverList,
  letterFacts,
  monthlyLetter,
  restoreLog,
  ticketExhibit,
} from "~/content/exhibits";
import { founderSection } from "~/content/founder";
import { onboardingTerms } from "~/content/plans-and-prices";
import type { Difference } from "~/content/why-us";
import { composeLetter, letterhead } from "~/features/letters/compose-letter";
import { LetterContent } from "~/features/letters/letter-content";
import type { SignedLetter } from "~/features/letters/model";
import { type SiteBrand, useSiteBrand } from "~/features/settings/brand";
import { cx } from "~/ui/cx";
import { FactList } from "~/ui/fact-list";
import { CheckCheck, Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import { SitePage } from "./site-page";

const WIDTHS = {
  seven: "@min-[38rem]:col-span-7",
  five: "@min-[38rem]:col-span-5",
  full: "@min-[38rem]:col-span-12",
} as const;

type ExhibitWidth = keyof typeof WIDTHS;

type ExhibitProps = {
  id: string;
  title: string;
  heading?: "h2" | "h3";
  /** For a paper that is an example; null: it is none. */
  tag?: string | null;
  width: ExhibitWidth;
  note?: ReactNode;
  /** Lead to the whole of it. */
  links?: readonly { label: string; path: string }[];
  children: ReactNode;
};

export function Exhibits({ children }: { children: ReactNode }) {
  return (
    <div className="@container">
      <div className="grid @min-[38rem]:grid-cols-12 gap-5 *:min-w-0">{children}</div>
    </div>
  );
}

function Exhibit({
  id,
  title,
  heading: Heading = "h3",
  tag = exampleTag,
  width,
  note,
  links = [],
  children,
}: ExhibitProps) {
  return (
    <article
      id={id}
      className={cx("wrap-anywhere flex flex-col rounded-3 border border-line bg-sheet text-sm/[1.45]", WIDTHS[width])}
      aria-labelledby={`${id}-title`}
    >
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b px-5 pt-4 pb-[0.7rem]">
        <Heading className="text-md" id={`${id}-title`}>
          {title}
        </Heading>
        {tag ? <ExampleTag>{tag}</ExampleTag> : null}
      </header>
      <div className="grid content-start gap-[0.65rem] px-5 pt-[0.9rem] pb-[1.1rem] *:min-w-0">{children}</div>
      {note ? (
        <p className="mt-auto max-w-none border-line border-t px-5 pt-[0.7rem] pb-[0.9rem] text-ink-2">
          {note}
          {links.map(({ label, path }, index) => (
            <Fragment key={path}>
              {index > 0 ? " · " : " "}
              <a href={path}>{label}</a>
            </Fragment>
          ))}
        </p>
      ) : null}
    </article>
  );
}

export function ExampleTag({ children }: { children: string }) {
  return (
    <span className="rounded-1 border border-control px-[0.45rem] py-[0.05rem] font-semibold text-ink-2 text-xs">
      {children}
    </span>
  );
}

export const TICKET_PATH = "/examples/ticket";
export const LETTER_PATH = "/examples/letter";
const AS_PDF = { label: "The letter as PDF", path: `${LETTER_PATH}.pdf` };

export function exampleLetter({ planNames }: Pick<SiteBrand, "planNames">): SignedLetter {
  const { reason, sentences, signedBy, writtenAt, ...facts } = letterFacts;
  const text = { sentences, reasons: [reason] };
  return { letter: composeLetter({ ...facts, plan: planNames.core }, text, writtenAt), signedBy };
}

export function WholeLetter() {
  const brand = useSiteBrand();
  const { letter, signedBy } = exampleLetter(brand);
  return (
    <SitePage
      title={monthlyLetter.title}
      lead={
        <>
          An example, set like the real ones: counted from tickets, signed by a person.{" "}
          <a href={AS_PDF.path}>{AS_PDF.label}</a>
        </>
      }
    >
      <div className="pb-section">
        <LetterContent letter={letter} sender={letterhead(brand)} signedBy={signedBy} ticketPath={() => TICKET_PATH} />
      </div>
    </SitePage>
  );
}

export function WholeTicket() {
  const { title, number, note, why, history } = ticketExhibit;
  return (
    <SitePage title={title} lead={`An example, with all that a client sees of it. ${note}`}>
      <div className="pb-section">
        <Exhibits>
          <TicketExhibit isWhole />
          <Exhibit id="why" heading="h2" title="Why this time?" tag={null} width="five">
            <FactList facts={why} terms="long" />
          </Exhibit>
          <Exhibit id="history" heading="h2" title={`What happened to ${number}`} tag={null} width="full">
            <FactList facts={history} />
          </Exhibit>
        </Exhibits>
      </div>
    </SitePage>
  );
}

export function TicketExhibit({ isWhole = false }) {
  const { title, number, subject, terms, promise, messages, kept, note, whole } = ticketExhibit;
  const { planNames } = useSiteBrand();
  const name = `${number} ${subject}`;
  const more = isWhole
    ? { title: name, heading: "h2" as const }
    : { title, note, links: [{ label: whole, path: TICKET_PATH }] };
  return (
    <Exhibit id="ticket" width="seven" {...more}>
      <p>
        {isWhole ? null : <b>{name}</b>}
        <span className="block text-ink-2">
          {terms}, {planNames.core} plan
        </span>
      </p>
      <p className="max-w-none bg-brand-tint px-3 py-2 font-semibold text-brand-ink">{promise}</p>
      {messages.map(({ from, text, isOurs }) => (
        <p key={from} className={cx("border-l-3 pl-3", isOurs ? "border-brand" : "border-line-strong")}>
          <b className="block">{from}</b>
          {text}
        </p>
      ))}
      <p className="flex gap-[0.4rem] font-semibold text-success">
        <Icon of={CheckCheck} className="mt-[0.15em]" />
        {kept}
      </p>
    </Exhibit>
  );
}

export function FirstDays() {
  const { title, tag, steps } = firstDays;
  return (
    <Exhibit id="first-days" title={title} tag={tag} width="full" note={onboardingTerms(useSiteBrand().prices)}>
      <ol className="@min-[38rem]:grid @min-[38rem]:grid-cols-5 pt-1">
        {steps.map(({ when, text }) => (
          <li
            key={when}
            className="relative @max-[38rem]:ml-[0.45rem] border-line-strong @min-[38rem]:border-t-2 @max-[38rem]:border-l-2 @min-[38rem]:pt-5 @min-[38rem]:pr-4 @max-[38rem]:pb-4 @max-[38rem]:pl-5 before:absolute @max-[38rem]:before:top-[0.15rem] @min-[38rem]:before:-top-[0.5rem] @max-[38rem]:before:-left-[0.5rem] @min-[38rem]:before:left-0 before:size-[0.875rem] before:rounded-full before:border-2 before:border-brand before:bg-sheet @max-[38rem]:last:border-transparent"
          >
            <b className="block">{when}</b>
            <span className="text-ink-2">{text}</span>
          </li>
        ))}
      </ol>
    </Exhibit>
  );
}

export function MonthlyLetter({ width }: { width: ExhibitWidth }) {
  const { title, verdict, facts, note, whole } = monthlyLetter;
  const links = [{ label: whole, path: LETTER_PATH }, AS_PDF];
  return (
    <Exhibit id="letter" title={title} width={width} note={note} links={links}>
      <p className="font-semibold text-[1.125rem]/[1.35]">{verdict}</p>
      <dl
        className={cx(
          "grid gap-x-8 gap-y-[0.35rem] *:flex *:justify-between *:gap-4 *:border-line *:border-b *:pb-[0.35rem] [&_dd]:text-right [&_dt]:text-ink-2",
          width === "full" && "@min-[38rem]:grid-cols-2",
        )}
      >
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Exhibit>
  );
}

export function RestoreLog() {
  const { title, text, columns, entries, results, note } = restoreLog;
  return (
    <Exhibit id="restores" title={title} width="five" note={note}>
      <p>{text}</p>
      <table className="@min-[17rem]:wrap-break-word w-full [&_:is(td,th)]:py-[0.45rem] [&_:is(td,th)]:pr-2 [&_td]:align-top [&_th]:text-left [&_th]:align-top [&_tr]:border-line [&_tr]:not-last:border-b">
        <thead className="text-ink-2 text-xs [&_th]:font-semibold [&_tr]:border-b!">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="@min-[17rem]:[&_th]:whitespace-nowrap [&_th]:font-normal">
          {entries.map(({ date, what, took, opened }) => (
            <tr key={date}>
              <th scope="row">{date}</th>
              <td>{what}</td>
              <td className="@min-[17rem]:whitespace-nowrap">{took}</td>
              <td className={opened ? "font-semibold text-success" : "font-semibold text-danger"}>
                {opened ? results.opened : results.failed}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Exhibit>
  );
}

/** Nothing until the owner has given a picture and words of theirs. */
export function FounderBlock() {
  const { founder: name, content } = useSiteBrand();
  if (!content.portrait || !content.founderWords) return null;
  return (
    <Exhibit id="founder" title={founderSection.title} tag={null} width="seven">
      <div className="grid grid-cols-[9rem_1fr] items-center gap-6 max-md:grid-cols-1">
        <FounderPortrait />
        <div className="grid gap-4">
          <p className="font-semibold text-lg/[1.35]">“{content.founderWords}”</p>
          <p className="text-ink-2">
            {name ? <span className="block">{name}, founder</span> : null}
            <Link to="/why-us#story">{founderSection.link}</Link>
          </p>
        </div>
      </div>
    </Exhibit>
  );
}

/** Nothing until the owner has given one. */
export function FounderPortrait() {
  const { founder, content } = useSiteBrand();
  if (!content.portrait) return null;
  return (
    <img
      className="mt-4 aspect-4/5 h-auto w-full max-w-48 rounded-3 object-cover"
      loading="lazy"
      alt={founder || "The founder"}
      {...content.portrait}
    />
  );
}

export function DifferenceList({ differences }: { differences: readonly Difference[] }) {
  return (
    <ol className="grid gap-x-[clamp(2rem,4vw,4rem)] gap-y-7 md:grid-cols-2">
      {differences.map(({ title, text, proof }) => (
        <li key={title}>
          <h3>{title}</h3>
          <p className="mt-[0.4rem] max-w-[46ch] text-ink-2">{text}</p>
          <p className="mt-2 flex items-start gap-[0.45rem] text-sm">
            <Icon of={CheckCheck} className="mt-[0.2em] text-brand" />
            <Link to={proof.path}>{proof.label}</Link>
          </p>
        </li>
      ))}
    </ol>
  );
}

export function HandoverList() {
  const { title, text, items, note } = handoverList;
  return (
    <Exhibit id="leave" title={title} width="five" note={note}>
      <p>{text}</p>
      <ul className="grid gap-[0.35rem]">
        {items.map(({ what, text: rest }) => (
          <li key={what}>
            <b>{what}</b>
            {rest}
          </li>
        ))}
      </ul>
    </Exhibit>
  );
}
