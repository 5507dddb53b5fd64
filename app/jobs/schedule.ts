import { compareFigures } from "~/features/analytics/counting/compare-figures.server";
import { countFigures } from "~/features/analytics/counting/count-figures.server";
import { copyAudit } from "~/features/audit/chain/copies.server";
import { sealAudit } from "~/features/audit/chain/seal-audit.server";
import { verifyAudit } from "~/features/audit/chain/verify-audit.server";
import { reportFailedSignIns } from "~/features/audit/failed-sign-ins.server";
import { rewordAudit } from "~/features/audit/reword-audit.server";
import { AUDIT_CHECK, STORE_CHECK } from "~/features/health/system-status.server";
import { draftLetters } from "~/features/letters/draft-letters.server";
import { applyRetention } from "~/features/privacy/apply-retention.server";
import { eraseRestOfPeople } from "~/features/privacy/person/erase-rest.server";
import { continuePurges } from "~/features/privacy/purge/continue-purges.server";
import { raiseAlerts } from "~/features/security/alerts/raise-alerts.server";
import { eraseRestOfSubjects } from "~/features/subjects/erase-rest.server";
import { days, hours, minutes } from "~/lib/time";
import { checkStores } from "./check-stores.server";
import { deliverMail } from "./deliver-mail.server";
import { endQuietTickets } from "./end-quiet-tickets.server";
import type { Job } from "./job";
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

/** Lists all scheduled jobs. The names are stored in the database. */
export const SCHEDULE: readonly Job[] = [
  { name: "tell-of-promises", every: minutes(1), run: notifyOfPromises },
  { name: "move-clocks", every: minutes(1), run: moveClocks },
  { name: "end-quiet-tickets", every: minutes(10), run: endQuietTickets },
  { name: "raise-alerts", every: minutes(1), run: raiseAlerts },
  { name: "deliver-mail", every: minutes(1), run: deliverMail },
  { name: STORE_CHECK, every: minutes(1), run: checkStores },
  { name: "repair-settings-copy", every: minutes(1), run: repairPublishedSettings },
  { name: "purge-expired", every: minutes(10), run: purgeExpired },
  { name: "remove-unconfirmed", every: minutes(10), run: removeUnconfirmedAccounts },
  { name: "remove-unanswered-invitations", every: hours(1), run: removeUnansweredInvitations },
  { name: "erase-people", every: minutes(1), run: eraseRestOfPeople },
  { name: "purge-submissions", every: minutes(1), run: continuePurges },
  { name: "erase-deleted", every: minutes(1), run: eraseRestOfSubjects },
  { name: "report-refused-sign-ins", every: minutes(10), run: reportFailedSignIns },
  { name: "reencrypt-values", every: hours(1), run: reencryptValues },
  { name: "seal-audit", every: minutes(1), run: sealAudit },
  { name: "reword-audit", every: minutes(1), run: rewordAudit },
  { name: "copy-audit", every: days(1), offset: hours(2), run: copyAudit },
  { name: AUDIT_CHECK, every: days(1), offset: hours(3), run: verifyAudit },
  { name: "purge-audit", every: days(1), offset: hours(6), run: purgeAudit },
  // Night where the site is.
  { name: "apply-retention", every: days(1), offset: hours(8), run: applyRetention },
  { name: "send-daily-summary", every: minutes(10), run: sendDailySummary },
  { name: "count-figures", every: minutes(1), run: countFigures },
  { name: "compare-figures", every: days(1), offset: hours(5), run: compareFigures },
  { name: "draft-letters", every: minutes(10), run: draftLetters },
  { name: "sweep-orphans", every: days(1), offset: hours(4), run: sweepOrphans },
];
