import { cx } from "~/ui/cx";
import { Icon, Search } from "~/ui/icon";
import { Link } from "~/ui/link";

const FRAME =
  "min-[81.25rem]:gap-2 min-[81.25rem]:rounded-2 min-[81.25rem]:border min-[81.25rem]:border-line-strong min-[81.25rem]:bg-sheet min-[81.25rem]:px-2";

/** `hasKeys`: a key opens the finder, which a wide screen says. */
export function SearchLink({ to, hasKeys = false }: { to: string; hasKeys?: boolean }) {
  return (
    <Link
      className={cx(
        "inline-flex min-h-9 min-w-6 items-center justify-center text-ink-2 no-underline hover:text-ink max-md:min-h-11",
        hasKeys && FRAME,
      )}
      to={to}
      aria-keyshortcuts={hasKeys ? "/ Control+K Meta+K" : undefined}
    >
      <Icon of={Search} />
      <span className={cx("sr-only", hasKeys && "min-[81.25rem]:not-sr-only")}>Search</span>
      {hasKeys && (
        <span className="hidden rounded-1 bg-sunken px-1 text-xs scripting:min-[81.25rem]:inline" aria-hidden="true">
          Ctrl K
        </span>
      )}
    </Link>
  );
}
