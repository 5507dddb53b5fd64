import { cx } from "./cx";
import { Link } from "./link";

type Crumb = { label: string; to?: string };

type BreadcrumbProps = {
  items: readonly Crumb[];
  /** In the admin area it is as tall as the account button beside it; a narrow screen has no room for both. */
  dense?: boolean;
};

type RecordLineProps = { items: readonly Crumb[]; previous: string | null; next: string | null };

/** The way back to the list, and to the records before and after this one in it. */
export function RecordLine({ items, previous, next }: RecordLineProps) {
  return (
    <div className="@max-narrow:block flex flex-wrap items-center gap-x-4 [&>nav]:mb-0 [&_[aria-current]]:font-mono [&_[aria-current]]:text-[0.9em]">
      <Breadcrumb dense items={items} />
      <nav
        className="@max-narrow:clear-both ml-auto flex @max-narrow:justify-end gap-4 text-sm @max-narrow:*:py-2 print:hidden"
        aria-label="Records of the list"
      >
        {previous ? (
          <Link to={previous} aria-keyshortcuts="k">
            Previous
          </Link>
        ) : null}
        {next ? (
          <Link to={next} aria-keyshortcuts="j">
            Next
          </Link>
        ) : null}
      </nav>
    </div>
  );
}

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
