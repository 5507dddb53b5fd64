import * as z from "zod";
import { TICKET_TIME_MAX, type TicketTimes } from "~/features/settings/model";
import { settingsGroup, wholeNumber } from "../group.server";

const LABELS: Record<keyof TicketTimes, string> = {
  remindWaitingAfter: "Remind the client after, in business days",
  resolveWaitingAfter: "Then resolve after, in business days",
  announceClosingAfter: "Announce the end of a resolved ticket after, in days",
  closeResolvedAfter: "Close a resolved ticket after, in days",
};

const days = (key: keyof TicketTimes) => wholeNumber(LABELS[key], { min: 0, max: TICKET_TIME_MAX });

/** Groups the settings of when tickets on which nothing happens move on by themselves. */
export const quietTicketsGroup = settingsGroup({
  text: "What happens to tickets on which nothing happens. 0 switches a step off.",
  fields: [
    { name: "remind_after", kind: "number", label: LABELS.remindWaitingAfter },
    { name: "resolve_after", kind: "number", label: LABELS.resolveWaitingAfter },
    { name: "announce_after", kind: "number", label: LABELS.announceClosingAfter },
    { name: "close_after", kind: "number", label: LABELS.closeResolvedAfter },
  ],
  keys: ["remindWaitingAfter", "resolveWaitingAfter", "announceClosingAfter", "closeResolvedAfter"],
  schema: z
    .object({
      remind_after: days("remindWaitingAfter"),
      resolve_after: days("resolveWaitingAfter"),
      announce_after: days("announceClosingAfter"),
      close_after: days("closeResolvedAfter"),
    })
    // What is no number has its own message, and is neither less nor more.
    .refine(({ announce_after, close_after }) => close_after === 0 || !(announce_after >= close_after), {
      path: ["announce_after"],
      message: "Announce the end before the ticket is closed, or switch it off with 0",
    }),
  values: (settings) => ({
    remind_after: String(settings.remindWaitingAfter),
    resolve_after: String(settings.resolveWaitingAfter),
    announce_after: String(settings.announceClosingAfter),
    close_after: String(settings.closeResolvedAfter),
  }),
  apply: (input) => ({
    remindWaitingAfter: input.remind_after,
    resolveWaitingAfter: input.resolve_after,
    announceClosingAfter: input.announce_after,
    closeResolvedAfter: input.close_after,
  }),
});
