import type { ReactNode } from "react";
import { cx } from "./cx";

type DocketProps = {
  /** Prefix of the ids inside; unique on the page. */
  id: string;
  title: ReactNode;
  /** Under the title, such as what a card is for. */
  subtitle?: ReactNode;
  /** "h1" where the docket is the page, as on the sign-in cards. */
  heading?: "h1" | "h2";
  /** Shows the canary copy behind the sheet. */
  copy?: boolean;
  as?: "section" | "aside" | "figure";
  children: ReactNode;
};

/** The signature sheet with two punched holes: at most one on a screen. */
export function Docket({
  id,
  title,
  subtitle,
  heading: Heading = "h2",
  copy,
  as: Element = "section",
  children,
}: DocketProps) {
  return (
    <Element className={cx("docket", copy && "copy")} aria-labelledby={`${id}-title`}>
      <header>
        <Heading id={`${id}-title`}>{title}</Heading>
        {subtitle ? <p id={`${id}-subtitle`}>{subtitle}</p> : null}
      </header>
      {children}
    </Element>
  );
}
