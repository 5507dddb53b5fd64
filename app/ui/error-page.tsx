import type { ReactNode } from "react";
import { cx } from "./cx";
import { Link } from "./link";

type ErrorPageProps = {
  title: string;
  text: ReactNode;
  /** Lists the links to other pages; the first one leads home. */
  links: readonly { label: string; to: string }[];
  /** Tells whether a layout is around it, with its own margins. */
  isInLayout?: true;
};

/** Tells what is missing or went wrong and where to go next. Never a stack trace. */
export function ErrorPage({ title, text, links, isInLayout }: ErrorPageProps) {
  return (
    <div
      className={cx(
        "clear-both grid gap-4 py-[clamp(2.5rem,10vh,7rem)]",
        !isInLayout && "mx-auto max-w-page px-gutter",
      )}
    >
      <h1>{title}</h1>
      <p className="text-ink-2">{text}</p>
      <nav aria-label="Where to go next">
        <ul className="flex flex-wrap gap-x-6 gap-y-2">
          {links.map(({ label, to }) => (
            <li key={to}>
              <Link to={to}>{label}</Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
