import { sql } from "drizzle-orm";
import { jsonParameters } from "~/db/json-parameters";
import { outbox } from "~/db/schema/outbox";
import { isTransient } from "~/db/transient";
import { describeError } from "~/lib/describe-error";
import { SUBJECT_TYPES, type SubjectType } from "~/lib/subject";
import type { Duration } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import type { ComposedMails } from "~/platform/subjects.server";
import type { ClaimedMail } from "./claim-outbox.server";
import { LINK_LIFETIMES, type MailData, type MailKind } from "./model";
import { encryptParams, recipientHash } from "./params.server";

type Composing = Pick<Ctx, "config" | "db" | "log" | "now" | "subjects">;

/**
 * Returns the claimed mails that may be sent, each with its content. A mail to a person whose content is known already,
 * because an attempt has failed, is deleted if that person may not read its subject any more; and a mail with a link is
 * if that does not work any more.
 */
export async function sendableMails(ctx: Composing, claimed: ClaimedMail[]): Promise<ClaimedMail[]> {
  const composed = await composeClaimedMails(ctx, claimed);
  const unsendable = [...(await findUnsendable(ctx, claimed)), ...withDeadLinks(ctx, claimed)];
  if (unsendable.length === 0) return composed;
  await ctx.db.delete(outbox).where(sql`${outbox.id} IN (SELECT value FROM json_each(${JSON.stringify(unsendable)}))`);
  return composed.filter(({ id }) => !unsendable.includes(id));
}

const withDeadLinks = ({ now }: Pick<Ctx, "now">, claimed: ClaimedMail[]): string[] =>
  claimed
    .filter(({ kind, createdAt }) => createdAt + (LIFETIMES[kind] ?? Number.POSITIVE_INFINITY) <= now())
    .map(({ id }) => id);

const LIFETIMES: Partial<Record<string, Duration>> = LINK_LIFETIMES;

async function findUnsendable({ db, subjects }: Pick<Ctx, "db" | "subjects">, claimed: ClaimedMail[]) {
  const tried = claimed.filter(({ params, isForReader }) => isForReader && params !== "");
  const found = await Promise.all(
    SUBJECT_TYPES.map(async (type) => {
      const ids = tried.filter(({ about }) => about?.type === type).map(({ id }) => id);
      const sendable = ids.length > 0 ? await subjects[type].listSendable?.(db, ids) : undefined;
      return sendable ? ids.filter((id) => !sendable.has(id)) : [];
    }),
  );
  return found.flat();
}

/**
 * Composes the claimed mails whose content is read when they leave. What they say is stored with them before
 * anything is sent, so that every further attempt sends the same. A mail that has nothing to say any more, or whose
 * recipient may not read it any more, is deleted. One that cannot be composed stays empty: its attempt has failed.
 */
async function composeClaimedMails(ctx: Composing, claimed: ClaimedMail[]): Promise<ClaimedMail[]> {
  const waiting = claimed.filter(({ params }) => params === "");
  if (waiting.length === 0) return claimed;
  const contents = new Map<string, Composed>();
  const failed = new Set<string>();
  for (const type of SUBJECT_TYPES) {
    const ids = waiting.filter(({ about }) => about?.type === type).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const [id, composed] of await composeEach(ctx, type, ids)) {
      if (composed === null) failed.add(id);
      else contents.set(id, composed);
    }
  }
  const dropped = waiting.filter(({ id }) => !contents.has(id) && !failed.has(id)).map(({ id }) => id);
  const takenIn = [...contents.values()].flatMap(({ takesIn = [] }) => takesIn);
  await ctx.db.batch([
    ctx.db
      .delete(outbox)
      .where(
        sql`${outbox.id} IN (SELECT value FROM json_each(${JSON.stringify(dropped)})) AND ${outbox.params_enc} = ''`,
      ),
    // One that another drain has claimed meanwhile leaves by itself.
    ctx.db.delete(outbox).where(
      sql`${outbox.id} IN (SELECT value FROM json_each(${JSON.stringify(takenIn)})) AND ${outbox.params_enc} = ''
          AND +${outbox.status} = 'pending'`,
    ),
    ...jsonParameters([...contents.values()]).map((rows) =>
      ctx.db
        .update(outbox)
        .set({ params_enc: sql`composed.value ->> 'params'`, to_hash: sql`composed.value ->> 'to'` })
        .from(sql`json_each(${rows}) composed`)
        .where(sql`${outbox.id} = composed.value ->> 'id' AND ${outbox.params_enc} = ''`),
    ),
  ]);
  return claimed.flatMap((mail) => {
    if (mail.params !== "" || failed.has(mail.id)) return [mail];
    const content = contents.get(mail.id);
    return content ? [{ ...mail, params: content.params }] : [];
  });
}

type Composed = { id: string; to: string; params: string; takesIn?: readonly string[] };

/**
 * Composes mails about one type of subject, all at once. If that fails, each alone, so that one does not hold up the
 * others; null stands for one that cannot be composed.
 */
async function composeEach(
  ctx: Composing,
  type: SubjectType,
  ids: readonly string[],
): Promise<[id: string, composed: Composed | null][]> {
  try {
    const composed: ComposedMails = (await ctx.subjects[type].composeMails?.(ctx, ids)) ?? new Map();
    return [...composed].map(([id, { to, data, takesIn }]) => {
      const params = encryptParams(ctx, id, { to, data: data as MailData[MailKind] });
      return [id, { id, to: recipientHash(ctx, to), params, takesIn }];
    });
  } catch (error) {
    if (isTransient(error)) throw error;
    if (ids.length === 1) {
      ctx.log("error", { event: "mail_not_composed", object_id: ids[0], error: describeError(error) });
      return ids.map((id) => [id, null]);
    }
    const alone: Awaited<ReturnType<typeof composeEach>> = [];
    for (const id of ids) alone.push(...(await composeEach(ctx, type, [id])));
    return alone;
  }
}
