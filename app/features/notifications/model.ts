import { type Instant, minutes, seconds } from "~/lib/time";

type EventRule = {
  side: "staff" | "client";
  label: string;
  /** `byMail` null: the mail always comes, because it holds a link or is about my name. `inApp` null: by mail only. */
  byMail: boolean | null;
  inApp: boolean | null;
  isForAdmins?: true;
  isDigest?: true;
};

/** In the order of the page of preferences. Their names are stored. */
const EVENTS = {
  ticket_opened: { side: "staff", label: "New ticket", byMail: true, inApp: true },
  assigned_to_me: { side: "staff", label: "A ticket is assigned to me", byMail: true, inApp: true },
  reply_on_mine: { side: "staff", label: "Reply on a ticket assigned to me", byMail: true, inApp: true },
  reply_on_unassigned: { side: "staff", label: "Reply on an unassigned ticket", byMail: true, inApp: true },
  moved_by_client: { side: "staff", label: "A client solves, closes or reopens a ticket", byMail: false, inApp: true },
  promise_at_risk: { side: "staff", label: "A promised time is near, or has passed", byMail: true, inApp: true },
  mentioned: { side: "staff", label: "A colleague mentions me in a note", byMail: true, inApp: true },
  sent_for_me: { side: "staff", label: "A colleague sends a reply that I mailed", byMail: null, inApp: true },
  new_submission: { side: "staff", label: "New submission", byMail: true, inApp: true },
  submission_moved: {
    side: "staff",
    label: "A colleague changes the status of my submission",
    byMail: true,
    inApp: true,
  },
  security_alert: { side: "staff", label: "Security alert", byMail: true, inApp: true, isForAdmins: true },
  daily_summary: {
    side: "staff",
    label: "Daily summary, at 8 in the morning",
    byMail: false,
    inApp: null,
    isDigest: true,
  },

  ticket_received: { side: "client", label: "Confirmation of my new ticket", byMail: true, inApp: null },
  opened_for_you: { side: "client", label: "Support opened a ticket for me", byMail: true, inApp: true },
  staff_replied: { side: "client", label: "Support replied", byMail: true, inApp: true },
  colleague_replied: { side: "client", label: "A colleague replied", byMail: true, inApp: true },
  status_changed: { side: "client", label: "A ticket is resolved, closed or reopened", byMail: true, inApp: true },
  added_to_ticket: { side: "client", label: "I was added to a ticket", byMail: true, inApp: true },
  moved_here: { side: "client", label: "Support moves a ticket to my organization", byMail: true, inApp: true },
  reminded: { side: "client", label: "Reminders about my tickets", byMail: true, inApp: true },
  invited: { side: "client", label: "I am invited to another organization", byMail: null, inApp: true },
  monthly_letter: {
    side: "client",
    label: "Monthly letter to owners and admins",
    byMail: true,
    inApp: null,
    isDigest: true,
  },
} as const satisfies Record<string, EventRule>;

export type NotificationEvent = keyof typeof EVENTS;
export const NOTIFICATION_EVENTS: Record<NotificationEvent, EventRule> = EVENTS;
export const NOTIFICATION_EVENT_NAMES = /* @__PURE__ */ Object.keys(NOTIFICATION_EVENTS) as NotificationEvent[];

/** Null: this version does not know it. */
export const notificationEvent = (name: string): NotificationEvent | null =>
  NOTIFICATION_EVENT_NAMES.find((known) => known === name) ?? null;

export const PREFERENCES_PATH = "/profile/notifications";
export const UNSUBSCRIBE_PATH = "/unsubscribe";
export const STAFF_NOTIFICATIONS_PATH = "/admin/notifications";
export const CLIENT_NOTIFICATIONS_PATH = "/client/notifications";

export const BUNDLED_FOR = minutes(2);
/** So that the reply can be undone. */
export const UNDO_WINDOW = seconds(15);

export const USUAL_QUIET_HOURS = { from: "20:00", until: "07:00" } as const;

export const UNREAD_LIMIT = 99;
export const NOTIFICATIONS_PER_PAGE = 50;

export type ListedNotification = {
  seq: number;
  text: string;
  href: string | null;
  at: Instant;
  isRead: boolean;
};

export type NotificationPage = {
  notifications: ListedNotification[];
  before: number | null;
};
