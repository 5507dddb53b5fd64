import { STAFF_NOTIFICATIONS_PATH } from "~/features/notifications/model";
import { Form } from "~/ui/form";
import { IconButton } from "~/ui/icon-button";
import { X } from "~/ui/icons";
import { Link } from "~/ui/link";
import { TextButton } from "~/ui/text-button";
import { Time } from "~/ui/time";
import type { LiveUpdate } from "../live-update";

type ListProps = {
  /** Lists the updates, newest first. */
  updates: readonly LiveUpdate[];
  zone: string;
  token: string;
  /** Names the page that a dismissal leads back to. */
  path: string;
};

/** Lists live updates, each with a button that dismisses it. */
export function LiveUpdateList({ updates, zone, token, path }: ListProps) {
  return (
    <ul className="live-updates">
      {updates.map(({ seq, label, href, at }) => (
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
          <Form action={STAFF_NOTIFICATIONS_PATH} token={token}>
            <input type="hidden" name="return_to" value={path} />
            <input type="hidden" name="seq" value={seq} />
            <IconButton type="submit" name="intent" value="dismiss" of={X} label={`Dismiss: ${label}`} />
          </Form>
        </li>
      ))}
    </ul>
  );
}

/** Renders the button that dismisses all updates up to the newest shown one: a later one is not dismissed unseen. */
export function DismissAll({ updates, token, path }: Omit<ListProps, "zone">) {
  const [newest] = updates;
  if (!newest) return null;
  return (
    <Form action={STAFF_NOTIFICATIONS_PATH} token={token}>
      <input type="hidden" name="return_to" value={path} />
      <input type="hidden" name="through" value={newest.seq} />
      <TextButton type="submit" name="intent" value="dismiss_all">
        Dismiss all
      </TextButton>
    </Form>
  );
}
