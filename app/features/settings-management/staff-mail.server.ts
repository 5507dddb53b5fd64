import * as z from "zod";
import { settingsGroup, tick, ticked } from "./group.server";

/** Holds the switch over all mail to staff about what happens. */
export const staffMailGroup = settingsGroup({
  fields: [
    {
      name: "mail_to_staff",
      kind: "tick",
      label: "Send mail to staff about requests and tickets",
      hint: "Off: nobody on staff gets such mail, whatever they have chosen. Lists and mail about accounts stay.",
    },
  ],
  keys: ["enableNotifications"],
  schema: z.object({ mail_to_staff: tick }),
  values: ({ enableNotifications }) => ({ mail_to_staff: ticked(enableNotifications) }),
  apply: ({ mail_to_staff }) => ({ enableNotifications: mail_to_staff }),
});
