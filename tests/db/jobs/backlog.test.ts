import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { settings } from "~/db/schema/site";
import { dispatch } from "~/jobs/dispatch.server";
import { JOB_GROUPS } from "~/jobs/job";
import { jobsOf } from "~/jobs/schedule";
import { days, minutes } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { testContext } from "../../support/context";
import { fillActivity, fillSubmissions, fillTickets, numbers } from "../../support/filled-lists";
import { queueMails } from "../../support/outbox";
import { ticketWorld, valueOf } from "../../support/tickets";

/** A quarter of them have work for a job that takes some statements for each: more than an invocation may send. */
const TICKETS = 800;
/** Limits what the platform lets one invocation do: statements at D1, and requests to everything together. */
const OF_INVOCATION = 1_000;

/** Fills the database with work that has been left for weeks, for every job that can have much of it. */
async function neglectedWorld() {
  const world = await ticketWorld();
  const { base, avery, client, dana } = world;
  valueOf(await client(dana).open());
  await fillTickets(base, avery.id, [0, TICKETS]);
  await fillActivity(base, avery.id, [0, TICKETS]);
  await fillSubmissions(base, avery.id, [0, 600]);
  const long = base.now() - days(60);
  const write = (statement: ReturnType<typeof sql>) => base.db.run(statement);
  await write(sql`UPDATE support_tickets SET warn_at = ${long}, miss_at = ${long},
    promise_json = (SELECT promise_json FROM support_tickets WHERE promise_json <> '{}' LIMIT 1)
    WHERE status IN ('open', 'in_progress')`);
  await write(sql`UPDATE support_tickets SET waiting_since = ${long} WHERE status = 'waiting_for_customer'`);
  await write(sql`UPDATE support_tickets SET resolved_at = ${long} WHERE status = 'resolved'`);
  await write(sql`UPDATE contact_submissions SET updated_at = 1, status = 'resolved'`);
  await write(sql`
    INSERT INTO erasures(subject_type, subject_id, created_at)
    ${numbers([0, 300])} SELECT 'ticket', 'tkt_gone_' || i, ${long} FROM n`);
  await write(sql`
    INSERT INTO refused_sign_ins(account_id, network, hour, reason, count)
    ${numbers([0, 1_000])} SELECT '', '203.0.113.' || i, ${long}, 'wrong_password', 3 FROM n`);
  await write(sql`
    INSERT INTO rate_limit_attempts(identifier, attempt_type, attempts, last_attempt_at, blocked_until)
    ${numbers([0, 500])} SELECT '198.51.100.' || i, 'login_network', 20, ${base.now()}, ${base.now() + days(9)} FROM n`);
  await write(sql`
    INSERT INTO live_events(audience, type, subject_type, subject_id, label, actor_id, at)
    ${numbers([0, TICKETS])} SELECT 'staff', 'new_submission', 'submission', 'sub_' || i, 'Ada Becker', NULL, ${long} FROM n`);
  await queueMails(base, 100);
  const clocksToMove = JSON.stringify({ since: base.now(), doneUpTo: 0 });
  await base.db.insert(settings).values({ key: "clocksToMove", value_json: clocksToMove, updated_at: base.now() });
  return world;
}

/** Counts what is asked of a binding. */
function counted<Binding extends object>(binding: Binding, asked: { count: number }): Binding {
  return new Proxy(binding, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        asked.count += 1;
        return Reflect.apply(member, target, values) as unknown;
      };
    },
  });
}

/** Runs the jobs of a group, and returns what the invocation has cost. */
async function invocation(cron: string, at: number) {
  const ctx = testContext();
  ctx.clock.set(at);
  const asked = { count: 0 };
  const [kv, files] = [counted(ctx.kv, asked), counted(ctx.files, asked)];
  const [mailer, live] = [counted(ctx.mailer, asked), counted(ctx.live, asked)];
  await dispatch({ ...ctx, kv, files, mailer, live }, jobsOf(cron));
  await ctx.settle();
  return { statements: ctx.cost.queries, requests: ctx.cost.trips + asked.count };
}

/** Counts the work that is left, by its kind. */
const workLeft = ({ db, now }: Ctx) =>
  db.get<Record<string, number>>(sql`SELECT
    (SELECT count(*) FROM support_tickets WHERE miss_at < ${now()}) AS missed,
    (SELECT count(*) FROM support_tickets WHERE status = 'waiting_for_customer' AND reminded_at IS NULL) AS waiting,
    (SELECT value_json ->> 'doneUpTo' FROM settings WHERE key = 'clocksToMove') * -1 AS unmoved,
    (SELECT count(*) FROM support_tickets WHERE measured_version IS NOT version) AS unmeasured,
    (SELECT count(*) FROM contact_submissions) AS submissions,
    (SELECT count(*) FROM live_events) AS events,
    (SELECT count(*) FROM erasures) AS erasures,
    (SELECT count(*) FROM refused_sign_ins) AS refused,
    (SELECT count(*) FROM outbox WHERE status = 'pending') AS mails,
    (SELECT count(*) FROM audit_events) - (SELECT count(*) FROM audit_seals) AS unsealed`);

test("with a backlog of hundreds of tickets every invocation stays below the limits of the platform, and all goes on", async () => {
  const { base } = await neglectedWorld();
  const before = (await workLeft(base)) ?? {};
  for (const [minute, cron] of [...Object.values(JOB_GROUPS), "by hand"].entries()) {
    const { statements, requests } = await invocation(cron, base.now() + minutes(minute));
    expect(statements, cron).toBeLessThan(OF_INVOCATION);
    expect(requests, cron).toBeLessThan(OF_INVOCATION);
  }
  const after = (await workLeft(base)) ?? {};
  for (const [kind, left] of Object.entries(before)) expect(after[kind], kind).toBeLessThan(left);
});
