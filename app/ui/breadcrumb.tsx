import { cx } from "./cx";
import { Link } from "./link";

type Crumb = { label: string; to?: string };

type BreadcrumbProps = {
  items: readonly Crumb[];
  /**
   * Tells whether it is in the admin area, where it is as tall as the account button beside it, so that the title's
   * line below is the page's own. A narrow screen has no room beside the button: both get lines of their own.
   */
  dense?: boolean;
};

/** The last entry is the page itself and no link. */
export function Breadcrumb({ items, dense = false }: BreadcrumbProps) {
  return (
    <nav
      className={cx("mb-2 text-ink-2 text-sm", dense && "flex min-h-9 items-center max-md:clear-right")}
      aria-label="Breadcrumb"
    >
      <ol className="flex flex-wrap [&>li+li]:before:px-[0.5em] [&>li+li]:before:content-['/'_/_''] [&_a]:py-[0.35rem] [&_a]:text-ink-2">
        {items.map(({ label, to }) => (
          <li key={label}>{to ? <Link to={to}>{label}</Link> : <span aria-current="page">{label}</span>}</li>
        ))}
      </ol>
    </nav>
  );
}
