import { jobGroups } from "~/db/schema/infrastructure";
import { type Instant, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { checkHealth } from "./checks.server";
import { judgeSize } from "./database-size.server";

/** Tells whether everything works that the product depends on, and what does not. */
type SystemStatus = { operational: boolean; problems: string[] };

/** Describes one check: what was found, and when. `problem` is the dashboard's sentence when it fails. */
type SystemCheck = { name: string; ok: boolean; detail: string; problem: string; at: Instant };

/** Names the job that probes the file store each minute. That its group was recorded shows that the database writes. */
export const STORE_CHECK = "check-stores";

/** Names the job that verifies the chain of the audit each day. */
export const AUDIT_CHECK = "verify-audit";

/** Limits how long a finding counts; an older one says nothing about now. */
const PROBE_LIFETIME = minutes(5);

/**
 * Returns what each minute's probe has found, with mail and the schedule. All of it is read in the round trip of the
 * page; a probe that is missing or old counts as a problem, because nobody knows.
 */
export async function runChecks(ctx: Pick<Ctx, "cost" | "db" | "now">): Promise<SystemCheck[]> {
  const [{ checks }, probe] = await Promise.all([checkHealth(ctx), readProbe(ctx)]);
  const now = ctx.now();
  const isRecent = (at: Instant | null) => at !== null && at > now - PROBE_LIFETIME;
  const isWritable = checks.d1.ok && isRecent(probe.writtenAt);
  const responds = isRecent(probe.filesAt);
  const size = judgeSize(ctx.cost.databaseSize);
  return [
    {
      name: "Database",
      ok: isWritable,
      detail: isWritable ? "Writable" : "No change written for five minutes",
      problem: "The database has not taken a change for five minutes",
      at: probe.writtenAt ?? now,
    },
    { name: "Database size", ok: size.problem === null, detail: size.detail, problem: size.problem ?? "", at: now },
    {
      name: "Mail queue",
      ok: checks.outbox.ok,
      detail: checks.outbox.detail,
      problem: `Mail is not leaving (${lowerFirst(checks.outbox.detail)})`,
      at: now,
    },
    {
      name: "Scheduled work",
      ok: checks.cron.ok,
      detail: checks.cron.detail,
      problem: `Scheduled work is late (${lowerFirst(checks.cron.detail)})`,
      at: now,
    },
    {
      name: "File store",
      ok: responds,
      detail: responds ? "Responding" : "No response for five minutes",
      problem: "The file store has not answered for five minutes",
      at: probe.filesAt ?? now,
    },
    {
      name: "Audit record",
      ok: probe.auditError === null,
      detail: probe.auditError ?? (probe.auditAt === null ? "Not verified yet" : "Verified"),
      problem: `The audit record is not verified (${probe.auditError})`,
      at: probe.auditAt ?? now,
    },
  ];
}

/** Tells whether all checks pass, with the problems of those that do not. */
export async function getSystemStatus(ctx: Pick<Ctx, "cost" | "db" | "now">): Promise<SystemStatus> {
  const problems = (await runChecks(ctx)).filter(({ ok }) => !ok).map(({ problem }) => problem);
  return { operational: problems.length === 0, problems };
}

type Probe = {
  /** Says when the stores were probed, and when the file store last responded. */
  writtenAt: Instant | null;
  filesAt: Instant | null;
  /** Says when the audit was last found complete, and why it was not since. */
  auditAt: Instant | null;
  auditError: string | null;
};

const UNKNOWN: Probe = { writtenAt: null, filesAt: null, auditAt: null, auditError: null };

/** Reads what the jobs have found that look at the stores and at the audit. */
async function readProbe(ctx: Pick<Ctx, "db">): Promise<Probe> {
  try {
    const groups = await ctx.db.select({ ranAt: jobGroups.ran_at, jobs: jobGroups.jobs }).from(jobGroups);
    const group = groups.find(({ jobs }) => STORE_CHECK in jobs);
    const [stores, audit] = [
      group?.jobs[STORE_CHECK],
      groups.find(({ jobs }) => AUDIT_CHECK in jobs)?.jobs[AUDIT_CHECK],
    ];
    return {
      writtenAt: group?.ranAt ?? null,
      filesAt: stores?.ok ?? null,
      auditAt: audit?.ok ?? null,
      auditError: audit?.error ?? null,
    };
  } catch {
    return UNKNOWN;
  }
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
