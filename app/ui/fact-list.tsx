import { cva } from "class-variance-authority";
import type { ReactNode } from "react";

export type Fact = { term: string; detail: ReactNode };

const styles = cva("*:grid *:gap-x-2 *:border-line *:border-b *:py-2 *:last:border-b-0", {
  variants: {
    place: { panel: "border-line border-t", sheet: "*:px-4" },
    terms: {
      short: "*:grid-cols-[min(6rem,50%)_minmax(0,1fr)]",
      medium: "*:grid-cols-[min(7rem,50%)_minmax(0,1fr)]",
      long: "*:grid-cols-[min(9rem,50%)_minmax(0,1fr)]",
    },
  },
  defaultVariants: { place: "panel", terms: "short" },
});

type FactListProps = {
  facts: readonly Fact[];
  terms?: "short" | "medium" | "long";
  place?: "panel" | "sheet";
};

/** A missing detail shows as a dash. */
export function FactList({ facts, terms, place }: FactListProps) {
  return (
    <dl className={styles({ terms, place })}>
      {facts.map(({ term, detail }) => (
        <div key={term}>
          <dt className="wrap-anywhere text-ink-2">{term}</dt>
          <dd className="wrap-anywhere">{detail ?? "—"}</dd>
        </div>
      ))}
    </dl>
  );
}
