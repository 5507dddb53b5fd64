import { type SQL, sql } from "drizzle-orm";
import { countRows, countUpTo, type Db } from "~/db/client.server";
import { readTotals } from "~/db/read-totals.server";
import { jobGroups } from "~/db/schema/infrastructure";
import { outbox } from "~/db/schema/outbox";
import { RESTORED_SUBJECT } from "~/features/audit/chain.server";
import { backupRecipient } from "~/features/backup/seal.server";
import {
  dailyLimit,
  type MailPause,
  pauseWords,
  readMailPause,
  sentOfLimit,
  sentToday,
} from "~/features/mail/mail-pause.server";
import { ADDRESS_HELD, MAIL_STATUS_LABELS, type MailStatus } from "~/features/mail/model";
import { readDnsRecords } from "~/features/mail-setup/dns-records.server";
import { getSettings } from "~/features/settings/queries.server";
import { cappedText } from "~/lib/numbers";
import { fileSize, plural } from "~/lib/text";
import { days, type Instant, minutes } from "~/lib/time";
import { durationInWords } from "~/lib/time-labels";
import type { Ctx } from "~/platform/context.server";
import { REMEDIES } from "./labels";
import type { HealthLine, Installation, JobRow } from "./model";

const GIGABYTE = 1024 ** 3;

/** In bytes. A full one takes no change any more. */
const DATABASE_LIMIT = 10 * GIGABYTE;

const FILLING = 5 * GIGABYTE;
const ALMOST_FULL = 8 * GIGABYTE;

const sizeInWords = (size: number | null): string =>
  size === null ? "Unknown" : `${fileSize(size)} of 10 GB (${((100 * size) / DATABASE_LIMIT).toFixed(1)}%)`;

function judgeSize(size: number | null): { detail: string; problem: string | null } {
  const detail = sizeInWords(size);
  if (size === null || size < FILLING) return { detail, problem: null };
  if (size < ALMOST_FULL) return { detail, problem: `The database is filling up: ${detail}` };
  return {
    detail: `${detail}: almost full`,
    problem: `The database is almost full: ${detail}. Once it is full, nothing can be saved`,
  };
}

const GROWING = {
  "Tickets and their messages": ["support_tickets", "ticket_messages", "ticket_events", "ticket_metrics"],
  "Requests with replies and notes": ["contact_submissions", "submission_events", "submission_replies", "admin_notes"],
  "Activity with its seals": ["audit_events", "audit_seals"],
  "Events of two-step sign-in": ["mfa_audit_log"],
  "Mails of the last days": ["outbox", "mail_events"],
  Notifications: ["notifications"],
  "People, sessions and organizations": ["users", "sessions", "organizations", "organization_memberships"],
} as const;

const SEARCHED: readonly string[] = [
  ...["support_tickets", "ticket_messages", "contact_submissions", "audit_events", "mfa_audit_log", "users"],
  ...["organizations", "organization_memberships"],
];

/**
 * No row is counted: the numbers of the first and last row of each table say about how many there are, as what is
 * deleted is mostly the oldest. Bytes of a table D1 does not tell.
 */
export async function readWhatTakesRoom({ db }: Pick<Ctx, "db">): Promise<{ term: string; detail: string }[]> {
  const tables = Object.values(GROWING).flat();
  const spans = tables.map(
    (table) => `'${table}', (SELECT max(rowid) FROM ${table}) - (SELECT min(rowid) FROM ${table}) + 1`,
  );
  // As one value: a row for each table would be more terms than D1 takes.
  const [found] = await db.all<{ spans: string }>(sql`SELECT json_object(${sql.raw(spans.join(", "))}) AS spans`);
  const span = JSON.parse(found?.spans ?? "{}") as Partial<Record<string, number | null>>;
  const rowsOf = (names: readonly string[]) => names.reduce((sum, name) => sum + (span[name] ?? 0), 0);
  const listed = Object.entries(GROWING).map(([term, names]) => ({ term, rows: rowsOf(names), unit: "row" }));
  return [...listed, { term: "Search indexes", rows: rowsOf(SEARCHED), unit: "text" }]
    .sort((one, other) => other.rows - one.rows)
    .map(({ term, rows, unit }) => ({ term, detail: `about ${plural(rounded(rows), unit)}` }));
}

/** To two digits: 1,234,567 is 1,200,000. */
const rounded = (count: number): number => Number(count.toPrecision(2));

type HealthCheck = { ok: boolean; detail: string };
type Health = { healthy: boolean; checks: Record<"d1" | "outbox" | "cron", HealthCheck> };

/** Older waiting mail means that nobody is sending it. */
const OUTBOX_LIMIT = minutes(15);
const CRON_LIMIT = minutes(15);

/**
 * Only a database that does not respond makes the site unhealthy: taking it out of service would help neither mail nor
 * schedule.
 */
export async function checkHealth(ctx: Pick<Ctx, "config" | "db" | "now">): Promise<Health> {
  const now = ctx.now();
  try {
    const [[waiting], groups, pause] = await Promise.all([
      readWaitingMail(ctx.db, now),
      ctx.db.select({ ranAt: jobGroups.ran_at }).from(jobGroups),
      readMailPause(ctx.db),
    ]);
    const mailAge = waiting?.oldest ? now - waiting.oldest : null;
    const paused = pause && (await pauseLabel(ctx, pause));
    return {
      healthy: true,
      checks: {
        d1: { ok: true, detail: "Responding" },
        outbox: paused
          ? { ok: false, detail: paused }
          : {
              ok: mailAge === null || mailAge < OUTBOX_LIMIT,
              detail: mailAge === null ? "No mail waiting" : `Oldest mail has waited ${durationInWords(mailAge)}`,
            },
        cron: checkRuns(
          groups.map(({ ranAt }) => ranAt),
          now,
        ),
      },
    };
  } catch {
    const unknown = { ok: false, detail: "Unknown" };
    return { healthy: false, checks: { d1: { ok: false, detail: "Not responding" }, outbox: unknown, cron: unknown } };
  }
}

/** Null: none waits, as after the last ordinary mail that the day's quota had room for. */
async function pauseLabel(ctx: Pick<Ctx, "config" | "db" | "now">, pause: MailPause): Promise<string | null> {
  const [waiting, { timeZone }] = await Promise.all([
    countRows(ctx.db, sql`SELECT 1 FROM ${outbox} INDEXED BY outbox_by_status WHERE status = 'pending'`),
    getSettings(ctx.db),
  ]);
  if (waiting.count === 0) return null;
  const mails = waiting.count === 1 ? "1 mail waits" : `${cappedText(waiting)} mails wait`;
  return mails + pauseWords(pause, ctx, timeZone);
}

const MAILS_SCANNED = 100;

/**
 * One that is held back waits from the time at which it may leave; one that failed since it was written, however late
 * it is tried again.
 */
const readWaitingMail = (db: Db, now: Instant): Promise<{ oldest: Instant | null }[]> =>
  db.all(sql`
    SELECT min(since) AS oldest FROM (
      SELECT created_at AS since FROM (SELECT last_error, created_at FROM ${outbox} INDEXED BY outbox_by_status
        WHERE status = 'pending' ORDER BY created_at LIMIT ${MAILS_SCANNED})
        WHERE last_error IS NOT NULL AND last_error <> ${ADDRESS_HELD}
      UNION ALL ${dueSince(0, now)} UNION ALL ${dueSince(1, now)})`);

const dueSince = (priority: 0 | 1, now: Instant): SQL => sql`
  SELECT * FROM (SELECT next_at FROM ${outbox} INDEXED BY outbox_due WHERE status IN ('pending', 'sending')
    AND priority = ${priority} AND next_at <= ${now} AND +status = 'pending' ORDER BY next_at LIMIT 1)`;

const MAIL_COUNTED = 1_000;

/** Mail that arrived is processed each minute; after a failure it waits for longer. */
const INBOUND_LIMIT = minutes(15);

/** How much mail came and went. Each number is counted up to a limit, by an index. */
async function readMailLines(ctx: Pick<Ctx, "config" | "db" | "now">): Promise<FoundLine[]> {
  const { config, db } = ctx;
  const at = ctx.now();
  const upTo = (rows: SQL) => countUpTo(rows, MAIL_COUNTED);
  const out = (status: string) => sql`SELECT 1 FROM outbox INDEXED BY outbox_by_status WHERE status = ${status}`;
  const inbound = (state: string) => sql`SELECT 1 FROM inbound_mail WHERE state = ${state}`;
  const [[counts], pause] = await Promise.all([
    db.all<{
      lastIn: Instant | null;
      oldestUnread: Instant | null;
      sent: number;
      failedOut: number;
      heldAddresses: number;
      heldIn: number;
      failedIn: number;
    }>(sql`SELECT
      (SELECT received_at FROM inbound_mail ORDER BY received_at DESC LIMIT 1) AS lastIn,
      (SELECT received_at FROM inbound_mail WHERE state = 'received' ORDER BY received_at LIMIT 1) AS oldestUnread,
      ${sentToday(at)} AS sent,
      ${upTo(out("dead"))} + ${upTo(out("bounced"))} + ${upTo(out("uncertain"))} AS failedOut,
      ${upTo(sql`SELECT 1 FROM mail_address_holds`)} AS heldAddresses,
      ${upTo(inbound("held"))} AS heldIn, ${upTo(inbound("failed"))} AS failedIn`),
    readMailPause(db),
  ]);
  if (!counts) return [];
  const { lastIn, oldestUnread, sent, failedOut, heldAddresses, heldIn, failedIn } = counts;
  const words = (count: number, one: string, many = `${one}s`) =>
    count > MAIL_COUNTED ? `more than ${MAIL_COUNTED.toLocaleString("en-US")} ${many}` : plural(count, one, many);
  const wrongLimit = config.MAIL_DAILY_LIMIT !== undefined && dailyLimit(config) === null;
  const quota = pause
    ? `, delayed${pauseWords(pause, ctx, (await getSettings(db)).timeZone)}`
    : wrongLimit
      ? "; MAIL_DAILY_LIMIT is ignored, because it is not a whole number above 0"
      : ", within the provider’s quota";
  const unreadFor = oldestUnread === null ? null : at - oldestUnread;
  const arrived = [
    lastIn === null ? "None yet" : `Last ${durationInWords(at - lastIn)} ago`,
    `${words(heldIn, "mail")} held, ${failedIn > MAIL_COUNTED ? "many" : failedIn} failed`,
    ...(unreadFor === null ? [] : [`oldest not processed has waited ${durationInWords(unreadFor)}`]),
  ];
  return [
    {
      name: "Mail sent today",
      state: pause || wrongLimit ? "attention" : "ok",
      detail: `${sentOfLimit(sent, config)} today (UTC)${quota}`,
      at,
    },
    {
      name: "Mail not delivered",
      state: "ok",
      detail: `${words(failedOut, "mail")}; ${words(heldAddresses, "address is", "addresses are")} held`,
      at,
    },
    {
      name: "Mail that arrived",
      state: failedIn > 0 || (unreadFor !== null && unreadFor >= INBOUND_LIMIT) ? "attention" : "ok",
      detail: arrived.join("; "),
      at,
    },
  ];
}

const BACKUP_LIMIT = days(2);
const PROOF_LIMIT = days(40);

type FoundLine = Omit<HealthLine, "wanted" | "fix">;

type BackupFacts = {
  first: Instant | null;
  last: { at: Instant; rows: number; files: number; bytes: number } | null;
  proven: { at: Instant; rows: number; ms: number } | null;
};

/** Of the backups that are whole, those that are not kept any longer among them. */
async function readBackupFacts({ db }: Pick<Ctx, "db">): Promise<BackupFacts> {
  const [[first], [last], [proven]] = await Promise.all([
    db.all<{ at: Instant }>(sql`
      SELECT started_at AS at FROM backups WHERE finished_at IS NOT NULL ORDER BY id LIMIT 1`),
    db.all<NonNullable<BackupFacts["last"]>>(sql`
      SELECT finished_at AS at, rows, files, bytes FROM backups WHERE finished_at IS NOT NULL ORDER BY id DESC LIMIT 1`),
    db.all<NonNullable<BackupFacts["proven"]>>(sql`
      SELECT proven_at AS at, proven_rows AS rows, proven_ms AS ms FROM backups
      WHERE proven_at IS NOT NULL ORDER BY proven_at DESC LIMIT 1`),
  ]);
  return { first: first?.at ?? null, last: last ?? null, proven: proven ?? null };
}

async function readBackupLines(ctx: Pick<Ctx, "config" | "db" | "now">): Promise<FoundLine[]> {
  const at = ctx.now();
  if (!ctx.config.BACKUP_PUBLIC_KEY) {
    return [{ name: "Backup", state: "off", detail: "No backup is made: BACKUP_PUBLIC_KEY is not set.", at }];
  }
  if (!backupRecipient(ctx.config)) {
    const detail = "No backup is made: BACKUP_PUBLIC_KEY is not a public key of age.";
    return [{ name: "Backup", state: "attention", detail, at }];
  }
  const { first, last, proven } = await readBackupFacts(ctx);
  const ago = (then: Instant) =>
    `${at - then < days(1) ? durationInWords(at - then) : plural(Math.floor((at - then) / days(1)), "day")} ago`;
  const rows = (count: number) => plural(count, "row");
  const isDue = (since: Instant | null, limit: number) => since !== null && at - since > limit;
  return [
    {
      name: "Backup",
      state: last === null ? "unknown" : isDue(last.at, BACKUP_LIMIT) ? "attention" : "ok",
      detail: last
        ? `Last backup: ${ago(last.at)}, ${rows(last.rows)}, ${plural(last.files, "file")}, ${fileSize(last.bytes)} of rows`
        : "None yet: the first one is made within the hour.",
      at,
    },
    {
      name: "Restore",
      state: isDue(proven?.at ?? first, PROOF_LIMIT) ? "attention" : proven ? "ok" : "unknown",
      detail: proven
        ? `Last proven restore: ${ago(proven.at)}, ${rows(proven.rows)}, ${Math.round(proven.ms / 1000)} s`
        : "No restore has been proven yet.",
      at,
    },
  ];
}

/** Each group of jobs has a trigger of its own, which may be missing. */
function checkRuns(ranAt: readonly (Instant | null)[], now: Instant): HealthCheck {
  const ran = ranAt.filter((at) => at !== null);
  if (ran.length === 0) return { ok: true, detail: "Has not run yet" };
  if (ran.length < ranAt.length) return { ok: false, detail: "A part has not run yet" };
  const age = now - Math.min(...ran);
  return { ok: age < CRON_LIMIT, detail: lastRun(age) };
}

const lastRun = (age: number) => (age < minutes(2) ? "Ran just now" : `Ran ${durationInWords(age)} ago`);

type SystemStatus = { operational: boolean; problems: string[] };

/** `problem`: the dashboard's sentence when it fails. */
type SystemCheck = { name: string; ok: boolean; detail: string; problem: string; at: Instant };

/** It probes the file store each minute. That its group was recorded shows that the database writes. */
export const STORE_CHECK = "check-stores";

export const AUDIT_CHECK = "verify-audit";

/** An older finding says nothing about now. */
const PROBE_LIFETIME = minutes(5);

/** A probe that is missing or old counts as a problem, because nobody knows. */
async function runChecks(ctx: Pick<Ctx, "config" | "cost" | "db" | "now">): Promise<SystemCheck[]> {
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

export async function getSystemStatus(ctx: Pick<Ctx, "config" | "cost" | "db" | "now">): Promise<SystemStatus> {
  const problems = (await runChecks(ctx)).filter(({ ok }) => !ok).map(({ problem }) => problem);
  return { operational: problems.length === 0, problems };
}

type Probe = {
  writtenAt: Instant | null;
  filesAt: Instant | null;
  auditAt: Instant | null;
  auditError: string | null;
};

const UNKNOWN: Probe = { writtenAt: null, filesAt: null, auditAt: null, auditError: null };

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

export async function readHealthReport(
  ctx: Pick<Ctx, "config" | "cost" | "db" | "log" | "now">,
): Promise<HealthLine[]> {
  const [checks, dns, mail, backup] = await Promise.all([
    runChecks(ctx),
    readDnsRecords(ctx),
    readMailLines(ctx).catch(() => []),
    readBackupLines(ctx).catch(() => []),
  ]);
  const hasBotCheck = Boolean(ctx.config.TURNSTILE_SITE_KEY);
  const sendsMail = ctx.config.MAIL_PROVIDER !== "capture";
  const found: FoundLine[] = [
    ...checks.map(({ name, ok, detail, at }) => ({
      name,
      state: ok ? ("ok" as const) : ("attention" as const),
      detail,
      at,
    })),
    {
      name: "Bot check",
      state: hasBotCheck ? "ok" : "off",
      detail: hasBotCheck ? "On" : "No keys configured. The contact form uses basic spam filtering only.",
      at: ctx.now(),
    },
    {
      name: "Mail provider",
      state: sendsMail ? "ok" : "off",
      detail: sendsMail
        ? `Connected: ${ctx.config.MAIL_PROVIDER}`
        : "Email isn't being sent yet. Connect a mail provider.",
      at: ctx.now(),
    },
    ...backup,
    ...mail,
  ];
  return [
    ...found.map((line) => ({ ...line, ...(REMEDIES[line.name] ?? { wanted: "OK", fix: "" }) })),
    ...dns.map(({ name, flaw, found: records, state, at, wanted, fix }) => ({
      ...{ name: `DNS: ${name}`, detail: flaw ?? records, state, at, wanted, fix },
    })),
  ];
}

/** `kept`: the last event that was copied before the state gone back to. */
type Restore = { id: number; state: string | null; kept: number; lostThrough: number | null };

export async function readInstallation({ build, cost, db }: Pick<Ctx, "build" | "cost" | "db">): Promise<Installation> {
  const [migrations, mails, jobs, files, room, restores] = await Promise.all([
    db.all<{ name: string }>(sql`SELECT name FROM d1_migrations ORDER BY id DESC`),
    db.all<{ status: MailStatus; count: number }>(sql`
      SELECT status, count(*) AS count FROM outbox WHERE status IN ('pending', 'sending', 'uncertain', 'bounced', 'dead')
      GROUP BY status ORDER BY status`),
    db.all<JobRow>(sql`
      SELECT j.key AS name, j.value ->> 'ok' AS lastOk, j.value ->> 'due' AS nextDue, j.value ->> 'error' AS error
      FROM job_groups g CROSS JOIN json_each(g.jobs) j ORDER BY j.key`),
    readTotals(db, ["file.all", "file.bytes"]),
    readWhatTakesRoom({ db }),
    db.all<Restore>(sql`
      SELECT id, meta_json ->> 'state' AS state, meta_json ->> 'kept' AS kept, meta_json ->> 'lostThrough' AS lostThrough
      FROM audit_events WHERE subject_type = ${RESTORED_SUBJECT} ORDER BY id DESC LIMIT 1`),
  ]);
  return {
    facts: [
      { term: "Build", detail: build },
      { term: "Database", detail: sizeInWords(cost.databaseSize) },
      ...restores.map((restore) => ({ term: "Last restore", detail: restoreInWords(restore) })),
      { term: "Files", detail: `${plural(files.all ?? 0, "file")}, ${fileSize(files.bytes ?? 0)}` },
      {
        term: "Mail queue",
        detail: mails.map(({ status, count }) => `${count} ${MAIL_STATUS_LABELS[status]}`).join(", ") || "Empty",
      },
    ],
    room,
    migrations: migrations.map(({ name }) => name),
    jobs,
  };
}

function restoreInWords({ id, state, kept, lostThrough }: Restore): string {
  const lost = lostThrough === null ? `after event ${kept}` : `between events ${kept + 1} and ${lostThrough}`;
  return `To the state of ${state ?? "an unknown time"}, recorded as event ${id}. What the activity lost lies ${lost} of before, and is only in its copies.`;
}
