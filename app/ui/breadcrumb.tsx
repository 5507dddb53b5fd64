import { cx } from "./cx";
import { Link } from "./link";

type Crumb = { label: string; to?: string };

type BreadcrumbProps = {
  items: readonly Crumb[];
  /** In the admin area it is as tall as the account button beside it; a narrow screen has no room for both. */
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
