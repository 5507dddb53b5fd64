import { daysInWords } from "~/lib/time-labels";
import { areDatesReversed } from "~/lists/criteria";
import { choiceField, dayField, defineList, type FilterOf, searchField } from "~/lists/define-list";
import { DATES_BACKWARDS } from "~/lists/labels";
import { ACTION_LABELS, labelOf, METHOD_LABELS, RESULT_LABELS } from "../labels";
import { EVENTS_PATH } from "../model";

export const EVENT_ACTIONS = [
  "setup",
  "verify_challenge",
  "backup_code_used",
  "regenerate",
  "disable",
  "admin_reset",
] as const;
export const EVENT_METHODS = ["totp", "backup_code"] as const;
export const EVENT_RESULTS = ["success", "failed"] as const;

export const eventList = defineList({
  name: "mfa-events",
  ability: "security.view",
  path: EVENTS_PATH,
  csvPath: "/admin/exports/mfa-events.csv",
  noun: { one: "event", many: "events" },
  fields: {
    q: searchField(),
    action: choiceField(EVENT_ACTIONS),
    method: choiceField(EVENT_METHODS),
    result: choiceField(EVENT_RESULTS),
    from: dayField(),
    to: dayField(),
  },
  orders: { happened: { ascending: "oldest", descending: "newest", isTime: true } },
  defaultSort: "newest",
  sortLabels: { newest: "Newest first", oldest: "Oldest first" },
  describe: ({ q, action, method, result, from, to }) => [
    { label: action && labelOf(ACTION_LABELS, action), fields: ["action"] },
    { label: method && labelOf(METHOD_LABELS, method), fields: ["method"] },
    { label: result && RESULT_LABELS[result], fields: ["result"] },
    { label: q ? `“${q}”` : null, fields: ["q"] },
    { label: daysInWords({ from, to }), fields: ["from", "to"] },
  ],
  noMatchReason: (filter) => (areDatesReversed(filter) ? DATES_BACKWARDS : null),
});

export type EventFilter = FilterOf<typeof eventList>;
