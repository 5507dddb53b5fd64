import { Bell, Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
import { VisuallyHidden } from "~/ui/text";
import { UNREAD_LIMIT } from "./model";

export function UnreadLink({ to, unread }: { to: string; unread: number | null }) {
  return (
    <Link
      className="inline-flex min-h-9 min-w-6 items-center justify-center gap-1.5 text-ink-2 no-underline hover:text-ink max-md:min-h-11"
      to={to}
    >
      <Icon of={Bell} />
      <VisuallyHidden>Notifications{unread ? ", unread: " : null}</VisuallyHidden>
      {unread ? (
        <span className="font-semibold text-ink text-sm tabular-nums">
          {unread > UNREAD_LIMIT ? `${UNREAD_LIMIT}+` : unread}
        </span>
      ) : null}
    </Link>
  );
}
