import { and, eq, inArray, sql } from "drizzle-orm";
import { isStaffRole } from "~/access/model";
import { commit, type Db } from "~/db/client.server";
import { users } from "~/db/schema/accounts";
import { notificationPreferences, quietHours } from "~/db/schema/notifications";
import type { MailKind } from "~/features/mail/kinds";
import { getSettings } from "~/features/settings/queries.server";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { NOTIFICATION_EVENT_NAMES, NOTIFICATION_EVENTS, type NotificationEvent } from "./model";

/** `byMail` null: the mail always comes; `inApp` null: it is only sent by mail. */
export type Preference = {
  event: NotificationEvent;
  side: "staff" | "client";
  label: string;
  byMail: boolean | null;
  inApp: boolean | null;
};

export type QuietHours = { from: string; until: string };

type Person = Pick<SignedIn, "userId" | "role" | "organizations" | "shortcutsOff">;

export const eventsFor = ({ role, organizations }: Person): NotificationEvent[] =>
  NOTIFICATION_EVENT_NAMES.filter((event) => {
    const { side, isForAdmins } = NOTIFICATION_EVENTS[event];
    if (isForAdmins) return role === "admin";
    return side === "staff" ? isStaffRole(role) : !isStaffRole(role) || organizations.length > 0;
  });

async function listPreferences({ db }: Pick<Ctx, "db">, person: Person): Promise<Preference[]> {
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
    const { side, label, byMail, inApp } = NOTIFICATION_EVENTS[event];
    const own = chosen.get(event);
    return {
      event,
      side,
      label,
      byMail: byMail === null ? null : (own?.byMail ?? byMail),
      inApp: inApp === null ? null : (own?.inApp ?? inApp),
    };
  });
}

/** `quiet` null: no quiet hours. Their clock is that of `zone`. Only staff have shortcuts. */
export async function readPreferences(ctx: Pick<Ctx, "db">, person: Person) {
  const [preferences, quiet, { timeZone }] = await Promise.all([
    listPreferences(ctx, person),
    findQuietHours(ctx, person.userId),
    getSettings(ctx.db),
  ]);
  return { preferences, quiet, zone: timeZone, shortcutsOff: isStaffRole(person.role) ? person.shortcutsOff : null };
}

async function findQuietHours({ db }: Pick<Ctx, "db">, userId: string): Promise<QuietHours | null> {
  const [row] = await db
    .select({ from: quietHours.from_clock, until: quietHours.until_clock })
    .from(quietHours)
    .where(eq(quietHours.user_id, userId));
  return row ?? null;
}

/** Only what differs from the default is stored. */
export async function savePreferences(
  ctx: Pick<Ctx, "db">,
  person: Person,
  {
    choices,
    quiet,
    shortcutsOff,
  }: {
    choices: readonly Pick<Preference, "event" | "byMail" | "inApp">[];
    quiet: QuietHours | null;
    shortcutsOff: boolean;
  },
): Promise<boolean> {
  const stored = await readPreferences(ctx, person);
  const events = eventsFor(person);
  const own = choices.filter(({ event }) => events.includes(event));
  const rows = own.flatMap(({ event, byMail, inApp }) => {
    const standard = NOTIFICATION_EVENTS[event];
    if (byMail === standard.byMail && inApp === standard.inApp) return [];
    return [{ user_id: person.userId, event, by_mail: byMail ?? true, in_app: inApp ?? false }];
  });
  await commit(ctx.db, [
    ctx.db
      .delete(notificationPreferences)
      .where(and(eq(notificationPreferences.user_id, person.userId), inArray(notificationPreferences.event, events))),
    ...(rows.length > 0 ? [ctx.db.insert(notificationPreferences).values(rows)] : []),
    ctx.db.delete(quietHours).where(eq(quietHours.user_id, person.userId)),
    ...(quiet
      ? [ctx.db.insert(quietHours).values({ user_id: person.userId, from_clock: quiet.from, until_clock: quiet.until })]
      : []),
    ctx.db.update(users).set({ shortcuts_off: shortcutsOff }).where(eq(users.id, person.userId)),
  ]);
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const before = stored.preferences.map(({ event, byMail, inApp }) => ({ event, byMail, inApp }));
  return !isSame(before, own) || !isSame(stored.quiet, quiet) || person.shortcutsOff !== shortcutsOff;
}

const SUMMARY: MailKind = "daily-summary";

/** Summaries to active staff who still want them, all others to active administrators. */
export async function listSendableStaffMails(db: Db, mailIds: readonly string[]): Promise<ReadonlySet<string>> {
  const byDefault = NOTIFICATION_EVENTS.daily_summary.byMail ? 1 : 0;
  const rows = await db.all<{ id: string }>(sql`
    SELECT o.id FROM json_each(${JSON.stringify(mailIds)}) wanted CROSS JOIN outbox o ON o.id = wanted.value
    CROSS JOIN users u ON u.id = o.user_id AND u.status = 'active' CROSS JOIN user_roles r ON r.user_id = u.id
    WHERE CASE WHEN o.kind = ${SUMMARY} THEN r.role <> 'user' AND coalesce((SELECT p.by_mail
        FROM notification_preferences p WHERE p.user_id = u.id AND p.event = 'daily_summary'), ${byDefault})
      ELSE r.role = 'admin' END`);
  return new Set(rows.map(({ id }) => id));
}
