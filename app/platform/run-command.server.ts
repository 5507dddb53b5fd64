import { lt, ne, type SQL, sql } from "drizzle-orm";
import { commit, type Db, expectChange, expectThat, type Statement } from "~/db/client.server";
import { idempotency } from "~/db/schema/infrastructure";
import { fail, ok, type Result } from "~/lib/errors";
import { hours, type Instant, seconds } from "~/lib/time";
import type { Ctx } from "./context.server";

/*
 * A form may arrive twice, late, or from a page that could not be read again. So a command is not written as "read,
 * check, write" but as a plan, which the runner makes again whenever somebody else was faster: a double click, the
 * retry of a browser and a second post after Back lead to what the first post has led to.
 */

type CommandForm = {
  scope: string;
  key: string;
  /**
   * The last choice counts, and a late post does not undo what a colleague has chosen since. Absent: it is done once.
   */
  choice?: string;
};

type Plan<Code extends string> = {
  resultId: string;
  /** Absent: it is so already, and nothing is written. */
  statements?: readonly Statement[];
  /** Holds what must be true when the batch runs, and what is said where it is not. */
  expects?: readonly { that: SQL; otherwise: Code }[];
  alsoKeys?: readonly string[];
  after?: () => void;
};

export type Planned<Code extends string> = Result<Plan<Code>, Code>;

type Command<Read, Code extends string> = {
  read: () => Promise<Read>;
  /** `last`: what was chosen last with this form; null: nothing. `isFirst`: nobody was faster yet. */
  plan: (read: Read, known: { last: string | null; isFirst: boolean }) => Planned<Code> | Promise<Planned<Code>>;
};

/**
 * If the batch fails though all of `expects` holds, somebody else was faster, and it reads and plans again; who keeps
 * losing gets `NotNow`. `changed_since`: posted before, and somebody has chosen something else since.
 */
export function runCommand<Read, Code extends string>(
  ctx: Pick<Ctx, "db" | "now">,
  form: CommandForm & { choice: string },
  command: Command<Read, Code>,
): Promise<Result<string, Code | "changed_since">>;
export function runCommand<Read, Code extends string>(
  ctx: Pick<Ctx, "db" | "now">,
  form: CommandForm & { choice?: undefined },
  command: Command<Read, Code>,
): Promise<Result<string, Code>>;
export function runCommand<Read, Code extends string>(
  ctx: Pick<Ctx, "db" | "now">,
  form: CommandForm,
  command: Command<Read, Code>,
): Promise<Result<string, Code | "changed_since">>;
export function runCommand<Read>(
  ctx: Pick<Ctx, "db" | "now">,
  form: CommandForm,
  { read, plan }: Command<Read, string>,
): Promise<Result<string, string>> {
  const isOnce = form.choice === undefined;
  return untilWritten<Result<string, string>>(ctx, async (isFirst) => {
    const [found, last] = await Promise.all([read(), findResult(ctx.db, form)]);
    if (isOnce && last !== null) return ok(last);
    const planned = await plan(found, { last, isFirst });
    if (!planned.ok) return planned;
    const { resultId, statements, expects = [], alsoKeys = [], after } = planned.value;
    if (!statements) return ok(resultId);
    if (!isOnce && last === form.choice) return fail("changed_since");
    const done = { ...form, resultId, at: ctx.now() };
    const written = await commit(ctx.db, [
      ...claim(ctx.db, done),
      ...alsoKeys.flatMap((key) => claim(ctx.db, { ...done, key })),
      ...expects.map(({ that }) => expectThat(ctx.db, that)),
      ...statements,
    ]);
    if (written) {
      after?.();
      return ok(resultId);
    }
    const [posted, failed] = await Promise.all([findResult(ctx.db, form), firstFailed(ctx.db, expects)]);
    // What this form has done itself is why it cannot be done again.
    if (isOnce && posted !== null) return ok(posted);
    return posted === form.choice || failed === undefined ? undefined : fail(failed);
  });
}

export const formerResults = {
  table: idempotency,
  isExpired: (now: Instant): SQL => lt(idempotency.created_at, now - hours(48)),
};

export const forgetResults = (db: Db, keyPrefix: string): Statement =>
  db.delete(idempotency).where(sql`key >= ${keyPrefix} AND key < ${`${keyPrefix}~`}`);

export const resultsOf = (keyPrefix: string, scopes: readonly string[]): SQL =>
  sql`SELECT result_location AS result FROM idempotency
    WHERE key >= ${keyPrefix} AND key < ${`${keyPrefix}~`} AND scope IN (SELECT value FROM json_each(${JSON.stringify(scopes)}))`;

export async function findResult(db: Db, form: CommandForm): Promise<string | null> {
  const [row] = await db
    .select({ location: idempotency.result_location })
    .from(idempotency)
    .where(sql`${idempotency.key} = ${storedKey(form)} and ${idempotency.scope} = ${form.scope}`)
    .limit(1);
  return row?.location ?? null;
}

function claim(db: Db, form: CommandForm & { resultId: string; at: number }): Statement[] {
  const { scope, choice, resultId, at } = form;
  const insert = db
    .insert(idempotency)
    .values({ key: storedKey(form), scope, result_location: choice ?? resultId, created_at: at });
  const set = { result_location: choice, created_at: at };
  return [
    choice === undefined
      ? insert.onConflictDoNothing()
      : insert.onConflictDoUpdate({ target: idempotency.key, set, setWhere: ne(idempotency.result_location, choice) }),
    expectChange(db),
  ];
}

/** Returns the stored key: those of choices name their scope, because several forms of a page have one token. */
const storedKey = ({ scope, key, choice }: CommandForm) => (choice === undefined ? key : `${key}:${scope}`);

async function firstFailed<Code extends string>(
  db: Db,
  expects: readonly { that: SQL; otherwise: Code }[],
): Promise<Code | undefined> {
  if (expects.length === 0) return undefined;
  const conditions = expects.map(({ that }) => sql`(${that})`);
  const [row] = await db.all<{ met: string }>(sql`SELECT json_array(${sql.join(conditions, sql`, `)}) AS met`);
  const met: (number | null)[] = JSON.parse(row?.met ?? "[]");
  return expects[met.findIndex((one) => !one)]?.otherwise;
}

export type FormerValues = Record<string, string | null | undefined>;

/**
 * What a colleague changed meanwhile stays. `last`: what was posted before with the token, as JSON. A page that states
 * now what it stated then could not be read again, and its reader goes on from what they chose on it. Where the same
 * arrives again, and sets what the page began with, all of it counts.
 */
export function changedValues<Chosen extends FormerValues>(
  posted: { values: Chosen; had: FormerValues },
  last: string | null,
): Partial<Chosen> {
  const { values, had } = posted;
  const isRepeated = last === JSON.stringify(posted);
  const former = last === null || isRepeated ? null : (JSON.parse(last) as { values: FormerValues; had: FormerValues });
  const seen = (name: string) => {
    const isUnread = had[name] !== undefined && former?.had[name] === had[name];
    return isUnread && name in former.values ? former.values[name] : had[name];
  };
  const stated = Object.entries(values).filter(([, value]) => value !== undefined);
  const changed = stated.filter(([name, value]) => value !== seen(name));
  return Object.fromEntries(isRepeated && changed.length === 0 ? stated : changed) as Partial<Chosen>;
}

export class NotNow extends Error {
  readonly outcome: "unavailable" | "rate_limited";
  readonly retryAt: Instant;

  constructor(outcome: NotNow["outcome"], retryAt: Instant, message: string) {
    super(message);
    this.outcome = outcome;
    this.retryAt = retryAt;
  }
}

const BUSY = "Too many people are changing this at the same moment, so nothing was saved. Please send it again.";

/** Limits how often, and how long, a command starts again because others are faster. */
const MAX_TRIES = 24;
const GIVES_UP_AFTER = seconds(1);
const LONGEST_PAUSE = 250;

/**
 * The pauses grow, and are random, so that those who lost together do not meet again. Throws `NotNow` after about a
 * second, though not before a second try: what was slow may be this form, posted twice. Also after some tries, because
 * the clock of a worker stands still while nothing is received.
 */
export async function untilWritten<Outcome>(
  { now }: Pick<Ctx, "now">,
  attempt: (isFirst: boolean) => Promise<Outcome | undefined>,
): Promise<Outcome> {
  const startedAt = now();
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt(tries === 1);
    if (outcome !== undefined) return outcome;
    if (tries === MAX_TRIES || (tries > 1 && now() - startedAt >= GIVES_UP_AFTER))
      throw new NotNow("unavailable", now() + seconds(2), BUSY);
    const share = (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) / 255;
    await scheduler.wait(share * Math.min(LONGEST_PAUSE, 20 * 2 ** tries));
  }
}
