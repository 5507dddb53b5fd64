import type { ReactNode } from "react";
import { cx } from "./cx";
import { Link } from "./link";

type ListTabsProps = {
  label: string;
  items: readonly {
    to: string;
    label: string;
    count?: number | string;
    isUrgent?: boolean;
    current: boolean;
    isFirst?: boolean;
  }[];
  children?: ReactNode;
};

export const TAB_CLASSES = cx(
  "hover:edge-b current:edge-b inline-flex min-h-9 cursor-pointer items-center gap-[0.4rem] whitespace-nowrap current:font-semibold current:text-ink text-ink-2 no-underline hover:text-ink max-md:min-h-11",
);

export function ListTabs({ label, items, children }: ListTabsProps) {
  return (
    <div className="flex @max-[16rem]:flex-wrap items-end gap-x-5 border-line-strong border-b print:hidden">
      {/* On a phone they stay on one line, which scrolls; with large letters they have it to themselves. */}
      <nav
        className="flex min-w-0 gap-x-5 max-md:overflow-x-auto max-md:*:-outline-offset-3 md:-mx-1 md:flex-wrap md:overflow-x-clip md:px-1"
        aria-label={label}
      >
        {items.map((tab, index) => (
          <Link
            key={tab.to}
            className={cx(
              TAB_CLASSES,
              // Where the tabs wrap before it, the line of a group is cut off with the edge.
              tab.isFirst &&
                "relative before:absolute before:-left-[0.9rem] before:h-[1.1rem] before:w-px before:bg-line-strong before:content-['']",
              items[index + 1]?.isFirst && "mr-[0.9rem]",
            )}
            to={tab.to}
            aria-current={tab.current ? "page" : undefined}
          >
            {tab.label}
            {tab.count === undefined ? null : (
              <span
                className={cx(
                  "text-xs tabular-nums",
                  tab.isUrgent ? "font-semibold text-danger" : "font-normal text-ink-3",
                )}
              >
                {tab.count.toLocaleString("en-US")}
              </span>
            )}
          </Link>
        ))}
      </nav>
      {children}
    </div>
  );
}
