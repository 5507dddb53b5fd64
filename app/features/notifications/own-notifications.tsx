import { TextButton } from "~/ui/button";
import { Form, SubmitButton } from "~/ui/form";
import { Link } from "~/ui/link";
import { Time, VisuallyHidden } from "~/ui/text";
import { type ListedNotification, type NotificationPage, PREFERENCES_PATH } from "./model";

type OwnNotificationsProps = NotificationPage & {
  zone: string;
  token: string;
  path: string;
};

export function OwnNotifications({ notifications, before, zone, token, path }: OwnNotificationsProps) {
  const [newest] = notifications;
  return (
    <section aria-labelledby="own-notifications" className="grid gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-lg" id="own-notifications">
          For you
        </h2>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Link to={PREFERENCES_PATH}>Notification settings</Link>
          {newest && notifications.some(({ isRead }) => !isRead) ? (
            <Form action={path} token={token} intent="mark_all_read">
              <input type="hidden" name="through" value={newest.seq} />
              <SubmitButton variant="quiet" size="sm">
                Mark all as read
              </SubmitButton>
            </Form>
          ) : null}
        </div>
      </div>
      {newest ? null : <p className="text-ink-2">Nothing yet. What concerns you appears here.</p>}
      <ul className="*:flex *:flex-wrap *:items-baseline *:justify-between *:gap-x-4 *:gap-y-1 *:border-line *:border-b *:py-2">
        {notifications.map((notification) => (
          <Line key={notification.seq} {...notification} zone={zone} token={token} path={path} />
        ))}
      </ul>
      {before === null ? null : (
        <p>
          <Link to={`${path}?before=${before}`}>Older</Link>
        </p>
      )}
    </section>
  );
}

type LineProps = ListedNotification & Pick<OwnNotificationsProps, "zone" | "token" | "path">;

function Line({ seq, text, href, at, isRead, zone, token, path }: LineProps) {
  return (
    <li className={isRead ? "text-ink-2" : "font-semibold"}>
      <p className="wrap-anywhere min-w-0">
        {isRead ? null : <VisuallyHidden>Unread: </VisuallyHidden>}
        {href ? <Link to={href}>{text}</Link> : text}{" "}
        <span className="font-normal text-ink-3 text-xs">
          <Time at={at} zone={zone} />
        </span>
      </p>
      {isRead ? null : (
        <Form action={path} token={token}>
          <input type="hidden" name="seq" value={seq} />
          <TextButton type="submit" name="intent" value="mark_read">
            Mark read<VisuallyHidden>: {text}</VisuallyHidden>
          </TextButton>
        </Form>
      )}
    </li>
  );
}
