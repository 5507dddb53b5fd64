import type { ReactNode } from "react";

export type Fact = { term: string; detail: ReactNode };

/** Names and values, one pair a line. A missing detail shows as a dash. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="fact-list">
      {facts.map(({ term, detail }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{detail ?? "—"}</dd>
        </div>
      ))}
    </dl>
  );
}
