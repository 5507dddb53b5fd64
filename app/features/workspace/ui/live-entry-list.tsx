import { X } from "lucide-react";
import { Form } from "~/ui/form";
import { Icon } from "~/ui/icon";
import { Link } from "~/ui/link";
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

/** Events, each with its way out of the list. */
export function LiveEntryList({ entries, zone, token, path }: ListProps) {
  return (
    <ul>
      {entries.map(({ seq, label, href, at }) => (
        <li key={seq}>
          <p>
            {href ? <Link to={href}>{label}</Link> : label}
            <span className="sub">
              <Time at={at} zone={zone} />
            </span>
          </p>
          <Form action="/admin/notifications" token={token} preventScrollReset>
            <input type="hidden" name="return_to" value={path} />
            <input type="hidden" name="seq" value={seq} />
            <button className="x" type="submit" name="intent" value="dismiss" aria-label={`Dismiss: ${label}`}>
              <Icon of={X} />
            </button>
          </Form>
        </li>
      ))}
    </ul>
  );
}

/** Empties the list, up to the newest entry in it: what arrives while the person reads is not swept away unseen. */
export function DismissAll({ entries, token, path }: Omit<ListProps, "zone">) {
  const [newest] = entries;
  if (!newest) return null;
  return (
    <Form action="/admin/notifications" token={token} preventScrollReset>
      <input type="hidden" name="return_to" value={path} />
      <input type="hidden" name="through" value={newest.seq} />
      <button className="as-link" type="submit" name="intent" value="dismiss_all">
        Dismiss all
      </button>
    </Form>
  );
}
