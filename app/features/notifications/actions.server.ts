import { and, eq, isNull, lte, sql } from "drizzle-orm";
import * as z from "zod";
import type { Actor } from "~/access/model";
import { commit } from "~/db/client.server";
import { notifications } from "~/db/schema/notifications";
import { ACCOUNT_PURPOSE, accountActions, rejectAccountForm } from "~/features/account/account-form.server";
import { safePath } from "~/lib/safe-path";
import type { Ctx } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import type { PostedForm } from "~/platform/read-form.server";
import { type ActionResult, badRequest, done } from "~/platform/responses.server";
import { NOTIFICATIONS_NOT_UPDATED, PREFERENCES_SAVED, PREFERENCES_UNCHANGED } from "./labels";
import {
  CLIENT_NOTIFICATIONS_PATH,
  NOTIFICATION_EVENTS,
  PREFERENCES_PATH,
  STAFF_NOTIFICATIONS_PATH,
  USUAL_QUIET_HOURS,
} from "./model";
import { eventsFor, type QuietHours, savePreferences } from "./preferences.server";
import { type NotificationOwner, ownNotifications } from "./queries.server";

async function markRead(
  ctx: Pick<Ctx, "db" | "now">,
  { userId, organizationId }: NotificationOwner,
  which: { seq: number } | { through: number },
): Promise<void> {
  const chosen = "seq" in which ? eq(notifications.seq, which.seq) : lte(notifications.seq, which.through);
  await commit(ctx.db, [
    ctx.db
      .update(notifications)
      .set({ read_at: ctx.now() })
      .where(
        and(
          eq(notifications.user_id, userId),
          sql`${notifications.organization_id} IS ${organizationId}`,
          isNull(notifications.read_at),
          chosen,
        ),
      ),
  ]);
}

export const NOTIFICATION_PURPOSE = "notifications";

const seq = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number);

/** Redirects to the page of the form. In the portal there is a current organization. */
const back = ({ membership }: Actor, { fields }: PostedForm): ActionResult<never> =>
  membership
    ? done({ to: safePath(fields.return_to, ["portal"], CLIENT_NOTIFICATIONS_PATH) })
    : done({ to: safePath(fields.return_to, ["admin"], STAFF_NOTIFICATIONS_PATH) });

export const notificationActions = formActions<Actor, null, never>()({
  mark_read: {
    purpose: NOTIFICATION_PURPOSE,
    failed: NOTIFICATIONS_NOT_UPDATED,
    form: z.object({ seq }),
    invalid: badRequest,
    run: async (ctx, actor, { input, ...posted }) => {
      await markRead(ctx, ownNotifications(actor), { seq: input.seq });
      return back(actor, posted);
    },
  },
  mark_all_read: {
    purpose: NOTIFICATION_PURPOSE,
    failed: NOTIFICATIONS_NOT_UPDATED,
    form: z.object({ through: seq }),
    invalid: badRequest,
    run: async (ctx, actor, { input, ...posted }) => {
      await markRead(ctx, ownNotifications(actor), { through: input.through });
      return back(actor, posted);
    },
  },
});

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;
const clockOf = (text: string | undefined, otherwise: string): string =>
  (CLOCK.test(text ?? "") ? text : null) ?? otherwise;

/** Hours that end when they begin are none: null. */
function quietHoursOf({ quiet, quiet_from, quiet_until }: Record<string, string | undefined>): QuietHours | null {
  const from = clockOf(quiet_from, USUAL_QUIET_HOURS.from);
  const until = clockOf(quiet_until, USUAL_QUIET_HOURS.until);
  return quiet === "on" && from !== until ? { from, until } : null;
}

/** Browsers send only the boxes that are ticked. A page without the choice of shortcuts leaves it as it is. */
export const preferenceActions = accountActions()({
  save: {
    purpose: ACCOUNT_PURPOSE,
    failed: NOTIFICATIONS_NOT_UPDATED,
    invalid: rejectAccountForm,
    run: async (ctx, signedIn, { fields }) => {
      const choices = eventsFor(signedIn).map((event) => ({
        event,
        byMail: NOTIFICATION_EVENTS[event].byMail === null ? null : fields[`mail_${event}`] === "on",
        inApp: NOTIFICATION_EVENTS[event].inApp === null ? null : fields[`app_${event}`] === "on",
      }));
      const shortcutsOff = fields.shortcuts ? fields.shortcuts === "off" : signedIn.shortcutsOff;
      return (await savePreferences(ctx, signedIn, { choices, quiet: quietHoursOf(fields), shortcutsOff }))
        ? done({ to: PREFERENCES_PATH, flash: { kind: "success", ...PREFERENCES_SAVED } })
        : done({ to: PREFERENCES_PATH, flash: { kind: "info", ...PREFERENCES_UNCHANGED }, unchanged: true });
    },
  },
});
