import type { ReactNode } from "react";
import { Link } from "~/ui/link";
import { Logo } from "~/ui/page";
import type { Letter } from "./model";

type LetterContentProps = {
  letter: Letter;
  sender: { name: string; lines: readonly string[] };
  signedBy: string;
  /** The address of a ticket, by its number. */
  ticketPath: (ticket: string) => string;
};

export function LetterContent({ letter, sender, signedBy, ticketPath }: LetterContentProps) {
  const { organization, title, date, verdict, intro, numbers, misses, moreMisses, asked, agreed, waiting } = letter;
  return (
    <article className="@container grid max-w-200 grid-cols-[minmax(0,1fr)] gap-6 rounded-b-3 border border-line border-t-2 border-t-ink bg-sheet px-6 py-7 max-md:px-4 print:border-0 print:p-0">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3 border-ink border-b-2 pb-4 text-ink-2 text-sm">
        <div className="wrap-anywhere min-w-0">
          <Logo size="sm" name={sender.name} to="/" />
          {sender.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
        <div className="wrap-anywhere min-w-0">
          {[organization, title, date].map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      </div>
      <h2 className="text-[1.5rem]/[1.25]">{verdict}</h2>
      <p>{intro}</p>
      <dl className="grid @min-[12rem]:grid-cols-2 @min-[26rem]:grid-cols-4 grid-cols-1 gap-x-4 gap-y-4 *:border-line-strong *:border-t *:pt-2">
        {numbers.map(({ value, label }) => (
          <div key={label} className="flex flex-col-reverse justify-end">
            <dt className="text-ink-2 text-sm">{label}</dt>
            <dd className="font-bold text-brand text-lg">{value}</dd>
          </div>
        ))}
      </dl>
      {misses.length > 0 ? (
        <Part title={misses.length === 1 ? "The promise we missed" : "The promises we missed"}>
          <ul className="grid gap-3">
            {misses.map(({ ticket, title: subject, promised, answered, reason }) => (
              <li key={`${ticket} ${promised}`} className="border-line border-t pt-2">
                <Link to={ticketPath(ticket)}>{ticket}</Link> {subject}
                <p className="text-ink-2 text-sm">
                  Promised {promised}, answered {answered}
                </p>
                {reason ? <p>{reason}</p> : null}
              </li>
            ))}
          </ul>
          {moreMisses ? <p className="mt-2 text-ink-2">{moreMisses}</p> : null}
        </Part>
      ) : null}
      <div className="flex flex-wrap gap-x-8 gap-y-6 *:min-w-0 *:flex-[1_1_16rem]">
        <Part title="What you asked for">
          {asked.length === 0 ? (
            <p className="text-ink-2">Nothing this month.</p>
          ) : (
            <Pairs pairs={asked.map(({ label, count }) => [label, count])} />
          )}
        </Part>
        <Part title="What we agreed">
          <Pairs pairs={agreed.map(({ label, value }) => [label, value])} />
        </Part>
      </div>
      {waiting.length > 0 ? (
        <Part title="Waiting for you">
          <ul className="grid gap-1">
            {waiting.map(({ ticket, title: subject }) => (
              <li key={ticket}>
                <Link to={ticketPath(ticket)}>{ticket}</Link> {subject}
              </li>
            ))}
          </ul>
        </Part>
      ) : null}
      {letter.sentences.length > 0 ? (
        <Part title="From us">
          {letter.sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Part>
      ) : null}
      <p className="border-line border-t pt-3">{signedBy}</p>
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="wrap-anywhere">
      <h3 className="mb-1 text-md">{title}</h3>
      {children}
    </section>
  );
}

function Pairs({ pairs }: { pairs: readonly (readonly [string, string])[] }) {
  return (
    <dl className="*:border-line *:border-t *:py-1.5">
      {pairs.map(([label, value]) => (
        <div key={label} className="flex justify-between gap-4">
          <dt className="max-w-[60%] flex-none">{label}</dt>
          <dd className="text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
