import { ACCOUNT_PURPOSE, accountActions, rejectAccountForm } from "~/features/account/account-form.server";
import { done } from "~/platform/action-result";
import { PREFERENCES_SAVED, PREFERENCES_UNCHANGED } from "../copy";
import { PREFERENCES_PATH, USUAL_QUIET_HOURS } from "../model";
import { NOTIFICATION_EVENTS } from "./default-preferences";
import { eventsFor, type QuietHours, savePreferences } from "./preferences.server";

const CLOCK = /^([01]\d|2[0-3]):[0-5]\d$/;
const clockOf = (text: string | undefined, otherwise: string): string =>
  (CLOCK.test(text ?? "") ? text : null) ?? otherwise;

/** Reads quiet hours; a time that is missing is the usual one. Hours that end when they begin are none: null. */
function quietHoursOf({ quiet, quiet_from, quiet_until }: Record<string, string | undefined>): QuietHours | null {
  const from = clockOf(quiet_from, USUAL_QUIET_HOURS.from);
  const until = clockOf(quiet_until, USUAL_QUIET_HOURS.until);
  return quiet === "on" && from !== until ? { from, until } : null;
}

/** Saves what somebody hears of. Browsers send only the boxes that are ticked. */
export const preferenceActions = accountActions()({
  save: {
    purpose: ACCOUNT_PURPOSE,
    invalid: rejectAccountForm,
    run: async (ctx, signedIn, { fields }) => {
      const choices = eventsFor(signedIn).map((event) => ({
        event,
        byMail: NOTIFICATION_EVENTS[event].byMail === null ? null : fields[`mail_${event}`] === "on",
        inApp: NOTIFICATION_EVENTS[event].inApp === null ? null : fields[`app_${event}`] === "on",
      }));
      return (await savePreferences(ctx, signedIn, { choices, quiet: quietHoursOf(fields) }))
        ? done({ to: PREFERENCES_PATH, flash: { kind: "success", ...PREFERENCES_SAVED } })
        : done({ to: PREFERENCES_PATH, flash: { kind: "info", ...PREFERENCES_UNCHANGED }, unchanged: true });
    },
  },
});
