import { X } from "lucide-react";
import { Form } from "~/ui/form";
import { IconButton } from "~/ui/icon-button";
import { Link } from "~/ui/link";
import { TextButton } from "~/ui/text-button";
import { Time } from "~/ui/time-ago";

export type LiveEntry = { seq: number; type: string; label: string; href: string | null; at: number };

type ListProps = {
  /** Newest first. */
  entries: readonly LiveEntry[];
  zone: string;
  token: string;
  /** Where a dismissal leads back to. */
  path: string;
};

/** Lists events, each with a button that dismisses it. */
export function LiveEntryList({ entries, zone, token, path }: ListProps) {
  return (
    <ul className="*:wrap-anywhere *:grid *:grid-cols-[minmax(0,1fr)_auto] *:items-center *:gap-x-2 *:border-line *:border-b *:py-2 *:text-xs/[1.4] *:last:border-0">
      {entries.map(({ seq, label, href, at }) => (
        <li key={seq}>
          <p>
            {href ? (
              <Link className="line-clamp-3" to={href}>
                {label}
              </Link>
            ) : (
              label
            )}
            <span className="block text-ink-3">
              <Time at={at} zone={zone} />
            </span>
          </p>
          <Form action="/admin/notifications" token={token} preventScrollReset>
            <input type="hidden" name="return_to" value={path} />
            <input type="hidden" name="seq" value={seq} />
            <IconButton type="submit" name="intent" value="dismiss" of={X} label={`Dismiss: ${label}`} />
          </Form>
        </li>
      ))}
    </ul>
  );
}

/** Empties the list, up to the newest entry in it: what comes in while the person reads is not dismissed unseen. */
export function DismissAll({ entries, token, path }: Omit<ListProps, "zone">) {
  const [newest] = entries;
  if (!newest) return null;
  return (
    <Form action="/admin/notifications" token={token} preventScrollReset>
      <input type="hidden" name="return_to" value={path} />
      <input type="hidden" name="through" value={newest.seq} />
      <TextButton type="submit" name="intent" value="dismiss_all">
        Dismiss all
      </TextButton>
    </Form>
  );
}
