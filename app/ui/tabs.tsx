import { cx } from "./cx";
import { Link } from "./link";

type LinkTabsProps = {
  label: string;
  items: readonly { to: string; label: string; count?: number; current: boolean }[];
  scroll?: boolean;
};

export function LinkTabs({ label, items, scroll = false }: LinkTabsProps) {
  return (
    <nav
      className={cx(
        "flex flex-wrap gap-x-6 border-line-strong border-b",
        scroll && "max-md:flex-nowrap max-md:overflow-x-auto max-md:whitespace-nowrap max-md:*:-outline-offset-3",
      )}
      aria-label={label}
    >
      {items.map((tab) => (
        <Link
          key={tab.to}
          className="hover:edge-b current:edge-b py-[0.6rem] current:font-semibold text-ink no-underline"
          to={tab.to}
          aria-current={tab.current ? "page" : undefined}
        >
          {tab.label}
          {tab.count === undefined ? null : (
            <span className="[font-variant-numeric:tabular-nums]"> {tab.count.toLocaleString("en-US")}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
