import type { ReactNode } from "react";
import { Link } from "./link";
import { Mono } from "./mono";

type ErrorPageProps = {
  title: string;
  text: ReactNode;
  /** Ways on; the first one is the way home. */
  links: readonly { label: string; to: string }[];
  /** What to quote on the phone, after a failure of ours. */
  reference?: string;
};

/** A page that says what is missing or went wrong and where to go next. Never a stack trace. */
export function ErrorPage({ title, text, links, reference }: ErrorPageProps) {
  return (
    <div className="refusal">
      <h1>{title}</h1>
      <p className="muted">{text}</p>
      {reference ? (
        <p className="meta">
          Reference: <Mono>{reference}</Mono>
        </p>
      ) : null}
      <nav aria-label="Where to go next">
        <ul className="ways">
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
