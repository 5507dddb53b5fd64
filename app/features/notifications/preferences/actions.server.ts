import { ACCOUNT_PURPOSE, accountActions, rejectAccountForm } from "~/features/account/account-form.server";
import { done } from "~/platform/action-result";
import { PREFERENCES_SAVED } from "../copy";
import { NOTIFICATION_EVENTS, PREFERENCES_PATH } from "../model";
import { eventsFor, savePreferences } from "./preferences.server";

/** Saves what somebody hears of. Browsers send only the boxes that are ticked. */
export const preferenceActions = accountActions()({
  save: {
    purpose: ACCOUNT_PURPOSE,
    invalid: rejectAccountForm,
    run: async (ctx, signedIn, { fields }) => {
      const choices = eventsFor(signedIn).map((event) => ({
        event,
        byMail: fields[`mail_${event}`] === "on",
        inApp: NOTIFICATION_EVENTS[event].inApp === null ? null : fields[`app_${event}`] === "on",
      }));
      await savePreferences(ctx, signedIn, choices);
      return done({ to: PREFERENCES_PATH, flash: { kind: "success", ...PREFERENCES_SAVED } });
    },
  },
});
