import { and, eq, inArray } from "drizzle-orm";
import { isStaffRole } from "~/access/model";
import { commit } from "~/db/client.server";
import { notificationPreferences } from "~/db/schema/notifications";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { NOTIFICATION_EVENT_NAMES, NOTIFICATION_EVENTS, type NotificationEvent } from "../model";

/** Holds what somebody hears of one event. `inApp` null: it is only sent by mail. */
export type Preference = { event: NotificationEvent; label: string; byMail: boolean; inApp: boolean | null };

type Person = Pick<SignedIn, "userId" | "role" | "organizations">;

/** Returns the events that can concern a person: staff, clients, and both for staff who belong to an organization. */
export const eventsFor = ({ role, organizations }: Person): NotificationEvent[] =>
  NOTIFICATION_EVENT_NAMES.filter((event) =>
    NOTIFICATION_EVENTS[event].side === "staff" ? isStaffRole(role) : !isStaffRole(role) || organizations.length > 0,
  );

/** Reads what a person has chosen, over the defaults. */
export async function listPreferences({ db }: Pick<Ctx, "db">, person: Person): Promise<Preference[]> {
  const rows = await db
    .select({
      event: notificationPreferences.event,
      byMail: notificationPreferences.by_mail,
      inApp: notificationPreferences.in_app,
    })
    .from(notificationPreferences)
    .where(eq(notificationPreferences.user_id, person.userId));
  const chosen = new Map(rows.map(({ event, ...preference }) => [event, preference]));
  return eventsFor(person).map((event) => {
    const { label, byMail, inApp } = NOTIFICATION_EVENTS[event];
    const own = chosen.get(event);
    return { event, label, byMail: own?.byMail ?? byMail, inApp: inApp === null ? null : (own?.inApp ?? inApp) };
  });
}

export type Choice = Pick<Preference, "event" | "byMail" | "inApp">;

/** Saves what a person has chosen. Only what differs from the default is stored. */
export async function savePreferences(ctx: Pick<Ctx, "db">, person: Person, choices: readonly Choice[]): Promise<void> {
  const events = eventsFor(person);
  const own = choices.filter(({ event }) => events.includes(event));
  const rows = own.flatMap(({ event, byMail, inApp }) => {
    const standard = NOTIFICATION_EVENTS[event];
    if (byMail === standard.byMail && (inApp ?? null) === standard.inApp) return [];
    return [{ user_id: person.userId, event, by_mail: byMail, in_app: inApp ?? false }];
  });
  await commit(ctx.db, [
    ctx.db
      .delete(notificationPreferences)
      .where(and(eq(notificationPreferences.user_id, person.userId), inArray(notificationPreferences.event, events))),
    ...(rows.length > 0 ? [ctx.db.insert(notificationPreferences).values(rows)] : []),
  ]);
}
