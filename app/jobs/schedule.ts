import { measureTickets } from "~/features/analytics/measure-tickets.server";
import { copyAudit, sealAudit, verifyAudit } from "~/features/audit/chain.server";
import { reportFailedSignIns } from "~/features/audit/failed-sign-ins.server";
import { rewordAudit } from "~/features/audit/reword-audit.server";
import { AUDIT_CHECK, STORE_CHECK } from "~/features/health/system-status.server";
import { draftLetters } from "~/features/letters/draft-letters.server";
import { eraseRestOfPeople } from "~/features/privacy/erase-person.server";
import { continuePurges } from "~/features/privacy/purge.server";
import { applyRetention } from "~/features/privacy/retention.server";
import { raiseAlerts } from "~/features/security/alerts.server";
import { eraseRestOfSubjects } from "~/features/subjects/erase-subjects.server";
import { continueBulkChange } from "~/features/tickets/staff-list/change-many.server";
import { days, hours, minutes } from "~/lib/time";
import { checkStores } from "./check-stores.server";
import { deliverMail } from "./deliver-mail.server";
import { endQuietTickets } from "./end-quiet-tickets.server";
import { GROUPS, type Job } from "./job";
import { moveClocks } from "./move-clocks.server";
import { notifyOfPromises } from "./notify-of-promises.server";
import { purgeAudit } from "./purge-audit.server";
import { purgeExpired } from "./purge-expired.server";
import { reencryptValues } from "./reencrypt-values.server";
import { removeUnansweredInvitations } from "./remove-unanswered-invitations.server";
import { removeUnconfirmedAccounts } from "./remove-unconfirmed.server";
import { repairPublishedSettings } from "./repair-published-settings.server";
import { sendDailySummary } from "./send-daily-summary.server";
import { sweepOrphans } from "./sweep-orphans.server";

/**
 * Lists all scheduled jobs, in each group the most important first. The names are stored in the database. What is alone
 * in a group, mail, waits for none of the others.
 */
export const SCHEDULE: readonly Job[] = [
  { name: "deliver-mail", group: "mail", every: minutes(1), run: deliverMail },

  { name: "tell-of-promises", group: "clocks", every: minutes(1), run: notifyOfPromises },
  { name: "move-clocks", group: "clocks", every: minutes(1), run: moveClocks },
  { name: "change-many-tickets", group: "clocks", every: minutes(1), run: continueBulkChange },
  { name: "end-quiet-tickets", group: "clocks", every: minutes(10), run: endQuietTickets },

  { name: "raise-alerts", group: "upkeep", every: minutes(1), run: raiseAlerts },
  { name: STORE_CHECK, group: "upkeep", every: minutes(1), run: checkStores },
  { name: "repair-settings-copy", group: "upkeep", every: minutes(1), run: repairPublishedSettings },
  { name: "seal-audit", group: "upkeep", every: minutes(1), run: sealAudit },
  { name: "erase-people", group: "upkeep", every: minutes(1), run: eraseRestOfPeople },
  { name: "erase-deleted", group: "upkeep", every: minutes(1), run: eraseRestOfSubjects },
  { name: "purge-submissions", group: "upkeep", every: minutes(1), run: continuePurges },
  { name: "count-figures", group: "upkeep", every: minutes(1), run: measureTickets },
  { name: "send-daily-summary", group: "upkeep", every: minutes(10), run: sendDailySummary },
  { name: "report-refused-sign-ins", group: "upkeep", every: minutes(10), run: reportFailedSignIns },
  { name: "purge-expired", group: "upkeep", every: minutes(10), run: purgeExpired },
  { name: "remove-unconfirmed", group: "upkeep", every: minutes(10), run: removeUnconfirmedAccounts },
  { name: "draft-letters", group: "upkeep", every: minutes(10), run: draftLetters },
  { name: "remove-unanswered-invitations", group: "upkeep", every: hours(1), run: removeUnansweredInvitations },
  { name: "reencrypt-values", group: "upkeep", every: hours(1), run: reencryptValues },
  { name: "reword-audit", group: "upkeep", every: minutes(1), run: rewordAudit },
  { name: "copy-audit", group: "upkeep", every: days(1), offset: hours(2), run: copyAudit },
  { name: AUDIT_CHECK, group: "upkeep", every: days(1), offset: hours(3), run: verifyAudit },
  { name: "sweep-orphans", group: "upkeep", every: days(1), offset: hours(4), run: sweepOrphans },
  { name: "purge-audit", group: "upkeep", every: days(1), offset: hours(6), run: purgeAudit },
  // Night where the site is.
  { name: "apply-retention", group: "upkeep", every: days(1), offset: hours(8), run: applyRetention },
];

/**
 * Lists the jobs of a call: those of the group that has this expression. Another one, such as that of a call by hand or
 * of a trigger that was set by an older version, runs all of them.
 */
export function jobsOf(cron: string): readonly Job[] {
  const own = SCHEDULE.filter(({ group }) => GROUPS[group] === cron);
  return own.length > 0 ? own : SCHEDULE;
}
