import { Notice } from "~/ui/flash";
import { Mono } from "~/ui/mono";
import { Time } from "~/ui/time";

type LetterStateProps = {
  /** Says when the letter was released, by whom and to how many; null: it is a draft. */
  released: { at: number; by: string; recipients: number; hash: string } | null;
  /** Counts the letter's pages on paper. */
  pages: number;
  zone: string;
};

/** Says whether a letter was released, when and by whom, and of a draft whether it fits on a page. */
export function LetterState({ released, pages, zone }: LetterStateProps) {
  if (released) {
    return (
      <div className="grid gap-1 text-ink-2 print:hidden">
        <p>
          Released <Time at={released.at} zone={zone} /> by {released.by}, mailed to {released.recipients}.
        </p>
        <p className="wrap-anywhere text-sm">
          Kept as it was sent. SHA-256 <Mono>{released.hash}</Mono>
        </p>
      </div>
    );
  }
  return pages > 1 ? (
    <Notice
      kind="warning"
      title={`The letter has ${pages} pages`}
      message="Shorter reasons and sentences bring it back to one."
    />
  ) : null;
}
