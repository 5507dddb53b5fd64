import { sql } from "drizzle-orm";
import { outbox } from "~/db/schema/outbox";
import { SUBJECT_TYPES } from "~/lib/subject";
import type { Ctx } from "~/platform/context.server";
import type { ClaimedMail } from "./claim-outbox.server";
import type { MailData, MailKind } from "./model";
import { encryptParams, recipientHash } from "./params.server";

/**
 * Returns the claimed mails that may be sent, each with its content. A mail to a person whose content is known already,
 * because an attempt has failed, is deleted if that person may not read its subject any more.
 */
export async function sendableMails(
  ctx: Pick<Ctx, "config" | "db" | "now" | "subjects">,
  claimed: ClaimedMail[],
): Promise<ClaimedMail[]> {
  const composed = await composeClaimedMails(ctx, claimed);
  const unsendable = await findUnsendable(ctx, claimed);
  if (unsendable.length === 0) return composed;
  await ctx.db.delete(outbox).where(sql`${outbox.id} IN (SELECT value FROM json_each(${JSON.stringify(unsendable)}))`);
  return composed.filter(({ id }) => !unsendable.includes(id));
}

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
 * recipient may not read it any more, is deleted.
 */
async function composeClaimedMails(
  ctx: Pick<Ctx, "config" | "db" | "now" | "subjects">,
  claimed: ClaimedMail[],
): Promise<ClaimedMail[]> {
  const waiting = claimed.filter(({ params }) => params === "");
  if (waiting.length === 0) return claimed;
  const contents = new Map<string, { id: string; to: string; params: string }>();
  for (const type of SUBJECT_TYPES) {
    const ids = waiting.filter(({ about }) => about?.type === type).map(({ id }) => id);
    if (ids.length === 0) continue;
    for (const [id, { to, data }] of (await ctx.subjects[type].composeMails?.(ctx, ids)) ?? []) {
      const params = encryptParams(ctx, id, { to, data: data as MailData[MailKind] });
      contents.set(id, { id, to: recipientHash(ctx, to), params });
    }
  }
  const rows = sql`json_each(${JSON.stringify([...contents.values()])})`;
  const dropped = waiting.filter(({ id }) => !contents.has(id)).map(({ id }) => id);
  const valueOf = (key: "params" | "to") =>
    sql`(SELECT value ->> ${key} FROM ${rows} WHERE value ->> 'id' = ${outbox.id})`;
  await ctx.db.batch([
    ctx.db
      .update(outbox)
      .set({ params_enc: valueOf("params"), to_hash: valueOf("to") })
      .where(sql`${outbox.id} IN (SELECT value ->> 'id' FROM ${rows}) AND ${outbox.params_enc} = ''`),
    ctx.db
      .delete(outbox)
      .where(
        sql`${outbox.id} IN (SELECT value FROM json_each(${JSON.stringify(dropped)})) AND ${outbox.params_enc} = ''`,
      ),
  ]);
  return claimed.flatMap((mail) => {
    if (mail.params !== "") return [mail];
    const content = contents.get(mail.id);
    return content ? [{ ...mail, params: content.params }] : [];
  });
}
