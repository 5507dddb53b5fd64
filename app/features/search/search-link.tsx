import { Icon, Search } from "~/ui/icon";
import { Link } from "~/ui/link";
import { VisuallyHidden } from "~/ui/text";

export function SearchLink({ to }: { to: string }) {
  return (
    <Link
      className="inline-flex min-h-9 min-w-6 items-center justify-center text-ink-2 no-underline hover:text-ink max-md:min-h-11"
      to={to}
      aria-keyshortcuts="/ Control+K Meta+K"
    >
      <Icon of={Search} />
      <VisuallyHidden>Search</VisuallyHidden>
    </Link>
  );
}
