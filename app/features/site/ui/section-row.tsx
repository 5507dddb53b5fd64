import type { HTMLAttributes, ReactNode } from "react";
import { Columns } from "~/ui/columns";
import { cx } from "~/ui/cx";

/** Shows a rule and, below it, two columns: a narrow one that says what the row is about, and a wide one. */
export function RuledRow({ className, ...rest }: HTMLAttributes<HTMLElement> & { as?: "div" | "section" }) {
  return (
    <Columns
      className={cx(
        "border-ink border-t-2 py-section *:first:flex-[1_1_14rem] *:last:flex-[999_1_min(100%,31rem)] lg:*:first:max-w-68 print:block print:*:last:mt-4",
        className,
      )}
      {...rest}
    />
  );
}

type SectionRowProps = {
  /** Holds the id of the heading; links lead to it. */
  id: string;
  title: ReactNode;
  text?: ReactNode;
  /** Holds what stands under the text, such as a picture. */
  below?: ReactNode;
  className?: string;
  /** Holds what stands in the wide column: one element, which is its cell. */
  children: ReactNode;
};

/** Shows a row with its heading in the narrow column. */
export function SectionRow({ id, title, text, below, className, children }: SectionRowProps) {
  return (
    <RuledRow as="section" className={className} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {text ? <p className="mt-[0.9rem] text-ink-2">{text}</p> : null}
        {below}
      </header>
      {children}
    </RuledRow>
  );
}
