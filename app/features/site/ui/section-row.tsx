import type { ReactNode } from "react";

type SectionRowProps = {
  /** Id of the heading; links lead to it. */
  id: string;
  title: ReactNode;
  text?: ReactNode;
  children: ReactNode;
};

/** The rhythm of the public pages: a rule, a label column with the heading, a content column. */
export function SectionRow({ id, title, text, children }: SectionRowProps) {
  return (
    <section className="row ruled" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {text ? <p>{text}</p> : null}
      </header>
      {children}
    </section>
  );
}
