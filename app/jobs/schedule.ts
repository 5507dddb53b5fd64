import { commit } from "~/db/client.server";
import { measureTickets } from "~/features/analytics/measure-tickets.server";
import { PROMISES_FROM } from "~/features/analytics/model";
import { readPromises } from "~/features/analytics/stored-days.server";
import { makeArchives, sweepArchives } from "~/features/archives/work.server";
import { copyAudit, sealAudit, verifyAudit } from "~/features/audit/chain.server";
import { reportFailedSignIns } from "~/features/audit/failed-sign-ins.server";
import { rewordAudit } from "~/features/audit/reword-audit.server";
import { backUp, sweepBackups } from "~/features/backup/nightly.server";
import { AUDIT_CHECK, STORE_CHECK } from "~/features/health/system-status.server";
import { inviteChosenPeople } from "~/features/import/invite-people.server";
import { continueImports, sweepImports } from "~/features/import/work.server";
import { processWaitingMail } from "~/features/inbound-mail/process-mail.server";
import { purgeMail } from "~/features/inbound-mail/purge-mail.server";
import { draftLetters } from "~/features/letters/draft-letters.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { hasDueMail, LEASE_SIZE } from "~/features/mail/lease-outbox.server";
import { eraseRestOfPeople } from "~/features/privacy/erase-person.server";
import { continuePurges } from "~/features/privacy/purge.server";
import { applyRetention } from "~/features/privacy/retention.server";
import { raiseAlerts } from "~/features/security/alerts.server";
import { republishSettings, saveSetting } from "~/features/settings/publish-settings.server";
import { getSettings } from "~/features/settings/queries.server";
import { eraseRestOfSubjects } from "~/features/subjects/erase-subjects.server";
import { continueBulkChange } from "~/features/tickets/staff-list/change-many.server";
import { days, hours, minutes, seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { JOB_GROUPS, type Job, type JobReport } from "./job";
import { purgeAudit } from "./purge-audit.server";
import {
  purgeExpired,
  removeUnansweredInvitations,
  removeUnconfirmedAccounts,
  sweepOrphans,
} from "./purge-expired.server";
import { reencryptValues } from "./reencrypt-values.server";
import { sendDailySummary } from "./send-daily-summary.server";
import { endQuietTickets, moveClocks, notifyOfTargets, openOnboardings } from "./ticket-jobs.server";

/** System Status reads the record of the run; that there is one shows that the database accepts writes. */
async function checkStores({ files }: Pick<Ctx, "files">): Promise<JobReport> {
  await files.get("health/probe");
  return { count: 0 };
}

/** Limits how long a run claims mails and begins to send them, because the next one starts after a minute. */
const CLAIM_TIMEOUT = seconds(30);

export async function deliverMail(ctx: Ctx): Promise<JobReport> {
  const startedAt = ctx.now();
  let count = 0;
  const timeLeft = () => CLAIM_TIMEOUT - (ctx.now() - startedAt);
  for (let rounds = 0; rounds < 10 && timeLeft() > 0; rounds += 1) {
    if (rounds > 0 ? ctx.budget.isUsedUp() : !(await hasDueMail(ctx))) break;
    const { leased, sent } = await deliverOutbox(ctx, { beginWithin: timeLeft() });
    count += sent;
    if (leased < LEASE_SIZE) break;
  }
  return { count };
}

async function processInboundMail(ctx: Ctx): Promise<JobReport> {
  return { count: await processWaitingMail(ctx) };
}

export async function repairPublishedSettings(ctx: Pick<Ctx, "db" | "kv">): Promise<JobReport> {
  return { count: (await republishSettings(ctx)) ? 1 : 0 };
}

/** Pages that lead to the promises are cached, and read no tickets: what they need to know is published. */
export async function countPromises(ctx: Pick<Ctx, "db" | "now" | "signedIn">): Promise<JobReport> {
  const { showsPromises, hasEnoughPromises } = await getSettings(ctx.db);
  if (!showsPromises) return { count: 0 };
  const isEnough = (await readPromises(ctx)).created >= PROMISES_FROM;
  if (isEnough === hasEnoughPromises) return { count: 0 };
  await commit(ctx.db, [saveSetting(ctx, "hasEnoughPromises", isEnough)]);
  return { count: 1 };
}

/** The names are stored in the database. What is alone in a group, mail, waits for none of the others. */
export const SCHEDULE: readonly Job[] = [
  { name: "deliver-mail", group: "mail", every: minutes(1), run: deliverMail },

  { name: "process-mail", group: "clocks", every: minutes(1), run: processInboundMail },
  { name: "tell-of-promises", group: "clocks", every: minutes(1), run: notifyOfTargets },
  { name: "move-clocks", group: "clocks", every: minutes(1), run: moveClocks },
  { name: "change-many-tickets", group: "clocks", every: minutes(1), run: continueBulkChange },
  { name: "open-onboardings", group: "clocks", every: minutes(1), run: openOnboardings },
  { name: "end-quiet-tickets", group: "clocks", every: minutes(10), run: endQuietTickets },

  { name: "raise-alerts", group: "upkeep", every: minutes(1), run: raiseAlerts },
  { name: STORE_CHECK, group: "upkeep", every: minutes(1), run: checkStores },
  { name: "repair-settings-copy", group: "upkeep", every: minutes(1), run: repairPublishedSettings },
  { name: "seal-audit", group: "upkeep", every: minutes(1), run: sealAudit },
  { name: "erase-people", group: "upkeep", every: minutes(1), run: eraseRestOfPeople },
  { name: "erase-deleted", group: "upkeep", every: minutes(1), run: eraseRestOfSubjects },
  { name: "purge-submissions", group: "upkeep", every: minutes(1), run: continuePurges },
  { name: "continue-imports", group: "upkeep", every: minutes(1), run: continueImports },
  { name: "invite-people", group: "upkeep", every: minutes(1), run: inviteChosenPeople },
  { name: "count-figures", group: "upkeep", every: minutes(1), run: measureTickets },
  { name: "send-daily-summary", group: "upkeep", every: minutes(10), run: sendDailySummary },
  { name: "report-refused-sign-ins", group: "upkeep", every: minutes(10), run: reportFailedSignIns },
  { name: "purge-expired", group: "upkeep", every: minutes(10), run: purgeExpired },
  { name: "remove-unconfirmed", group: "upkeep", every: minutes(10), run: removeUnconfirmedAccounts },
  { name: "count-promises", group: "upkeep", every: minutes(10), run: countPromises },
  { name: "draft-letters", group: "upkeep", every: minutes(10), run: draftLetters },
  { name: "back-up", group: "upkeep", every: minutes(10), run: backUp },
  { name: "remove-unanswered-invitations", group: "upkeep", every: hours(1), run: removeUnansweredInvitations },
  { name: "reencrypt-values", group: "upkeep", every: hours(1), run: reencryptValues },
  { name: "reword-audit", group: "upkeep", every: minutes(1), run: rewordAudit },
  { name: "copy-audit", group: "upkeep", every: days(1), offset: hours(2), run: copyAudit },
  { name: AUDIT_CHECK, group: "upkeep", every: days(1), offset: hours(3), run: verifyAudit },
  { name: "sweep-orphans", group: "upkeep", every: days(1), offset: hours(4), run: sweepOrphans },
  { name: "sweep-mail", group: "upkeep", every: days(1), offset: hours(5), run: purgeMail },
  { name: "sweep-imports", group: "upkeep", every: days(1), offset: hours(5), run: sweepImports },
  { name: "sweep-archives", group: "upkeep", every: days(1), offset: hours(5), run: sweepArchives },
  { name: "sweep-backups", group: "upkeep", every: days(1), offset: hours(5), run: sweepBackups },
  { name: "purge-audit", group: "upkeep", every: days(1), offset: hours(6), run: purgeAudit },
  // Night where the site is.
  { name: "apply-retention", group: "upkeep", every: days(1), offset: hours(8), run: applyRetention },
  // Last, as it takes what is left: each file is a request.
  { name: "make-archives", group: "upkeep", every: minutes(1), run: makeArchives },
];

/** Another one, such as that of a call by hand or of a trigger that was set by an older version, runs all of them. */
export function jobsOf(cron: string): readonly Job[] {
  const own = SCHEDULE.filter(({ group }) => JOB_GROUPS[group] === cron);
  return own.length > 0 ? own : SCHEDULE;
}
