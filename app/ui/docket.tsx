import type { ReactNode } from "react";
import { cx } from "./cx";
import { formColumnStyle } from "./page";

type DocketProps = {
  id: string;
  title: ReactNode;
  subtitle?: ReactNode;
  alone?: boolean;
  heading?: "h1" | "h2";
  hasCarbonCopy?: boolean;
  as?: "section" | "aside" | "figure";
  children: ReactNode;
};

export function Docket({
  id,
  title,
  subtitle,
  alone = false,
  heading: Heading = "h2",
  hasCarbonCopy,
  as: Element = "section",
  children,
}: DocketProps) {
  return (
    <Element className={cx("docket", hasCarbonCopy && "copy")} aria-labelledby={`${id}-title`}>
      <header
        className={cx(
          "border-ink border-b-2 pb-[0.9rem]",
          alone ? "px-7 max-md:px-5" : "flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 px-in",
        )}
      >
        <Heading className={alone ? "text-[1.75rem]" : "text-lg"} id={`${id}-title`}>
          {title}
        </Heading>
        {subtitle ? (
          <p className={alone ? "mt-[0.45rem] text-ink-2" : undefined} id={`${id}-subtitle`}>
            {subtitle}
          </p>
        ) : null}
      </header>
      {children}
    </Element>
  );
}

export function TearLine() {
  return <hr className="border-0 border-line-strong border-t-2 border-dashed" />;
}

/** `alone` as on its `Docket`. */
export function DocketBody({ alone = false, children }: { alone?: boolean; children: ReactNode }) {
  if (!alone) return <div className={formColumnStyle("px-6 pt-[1.35rem] pb-[1.6rem]")}>{children}</div>;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-[1.15rem] px-7 py-[1.35rem] max-md:px-5 [&_form]:grid [&_form]:grid-cols-[minmax(0,1fr)] [&_form]:gap-[1.15rem]">
      {children}
    </div>
  );
}
