import type { HTMLAttributes, ReactNode } from "react";
import { ButtonRow, LinkButton } from "~/ui/button";
import { cx } from "~/ui/cx";
import { Columns, FormColumn } from "~/ui/page";

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
  /** Links lead to it. */
  id: string;
  title: ReactNode;
  text?: ReactNode;
  below?: ReactNode;
  className?: string;
  /** One element, which is its cell. */
  children: ReactNode;
};

export function SectionRow({ id, title, text, below, className, children }: SectionRowProps) {
  return (
    <RuledRow as="section" className={className} aria-labelledby={id}>
      <header>
        <h2 id={id} className="text-section">
          {title}
        </h2>
        {text ? <p className="mt-[0.9rem] text-ink-2">{text}</p> : null}
        {below}
      </header>
      {children}
    </RuledRow>
  );
}

type LinkRowProps = { id: string; title: string; text: string; link: { label: string; to: string } };

export function LinkRow({ id, title, text, link }: LinkRowProps) {
  return (
    <SectionRow id={id} title={title} className="print:hidden">
      <FormColumn>
        <p>{text}</p>
        <ButtonRow>
          <LinkButton variant="quiet" to={link.to}>
            {link.label}
          </LinkButton>
        </ButtonRow>
      </FormColumn>
    </SectionRow>
  );
}
