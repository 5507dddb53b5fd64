import * as z from "zod";
import { settingsGroup, tick, ticked } from "./group.server";

/** Holds the switch over all mail to staff about what happens. */
export const staffMailGroup = settingsGroup({
  fields: [
    {
      name: "enable_notifications",
      kind: "tick",
      label: "Send mail to staff about submissions and tickets",
      hint: "Off: staff get no such mail, whatever they have chosen. Lists and mail about accounts stay.",
    },
  ],
  keys: ["enableNotifications"],
  schema: z.object({ enable_notifications: tick }),
  values: ({ enableNotifications }) => ({ enable_notifications: ticked(enableNotifications) }),
  apply: ({ enable_notifications }) => ({ enableNotifications: enable_notifications }),
});
