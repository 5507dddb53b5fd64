import { type Instant, minutes, seconds } from "~/lib/time";

/** Names the page on which people choose what they hear of. */
export const PREFERENCES_PATH = "/profile/notifications";
/** Names the page that ends a kind of mail, by a link of the mail. */
export const UNSUBSCRIBE_PATH = "/unsubscribe";
export const STAFF_NOTIFICATIONS_PATH = "/admin/notifications";
export const CLIENT_NOTIFICATIONS_PATH = "/client/notifications";

/** Sets how long events about one subject are collected into one mail to each person. */
export const BUNDLED_FOR = minutes(2);
/** Sets how long the mail about a reply waits, so that the reply can be undone. */
export const UNDO_WINDOW = seconds(15);

/** Holds what the form of quiet hours begins with. */
export const USUAL_QUIET_HOURS = { from: "20:00", until: "07:00" } as const;

/** Limits how far unread notifications are counted. */
export const UNREAD_LIMIT = 99;
/** Limits the notifications on one page. */
export const NOTIFICATIONS_PER_PAGE = 50;

/** Describes a line of the list. */
export type ListedNotification = {
  seq: number;
  text: string;
  href: string | null;
  at: Instant;
  isRead: boolean;
};

export type NotificationPage = {
  /** Lists the notifications, newest first. */
  notifications: ListedNotification[];
  /** Says where the next page begins; null: there are no older ones. */
  before: number | null;
};
