import type { ReactNode } from "react";
import { cx } from "./cx";

export type Fact = { term: string; detail: ReactNode };

const PLACES = { panel: "border-line border-t", sheet: "*:px-4" };

const TERMS = {
  short: "*:grid-cols-[min(6rem,50%)_minmax(0,1fr)]",
  medium: "*:grid-cols-[min(7rem,50%)_minmax(0,1fr)]",
  long: "*:grid-cols-[min(9rem,50%)_minmax(0,1fr)]",
};

type FactListProps = {
  facts: readonly Fact[];
  terms?: keyof typeof TERMS;
  place?: keyof typeof PLACES;
};

/** A missing detail shows as a dash. */
export function FactList({ facts, terms = "short", place = "panel" }: FactListProps) {
  return (
    <dl
      className={cx("*:grid *:gap-x-2 *:border-line *:border-b *:py-2 *:last:border-b-0", PLACES[place], TERMS[terms])}
    >
      {facts.map(({ term, detail }) => (
        <div key={term}>
          <dt className="wrap-anywhere text-ink-2">{term}</dt>
          <dd className="wrap-anywhere [&_time]:whitespace-normal">{detail ?? "—"}</dd>
        </div>
      ))}
    </dl>
  );
}
