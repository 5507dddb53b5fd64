import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { users } from "~/db/schema/accounts";
import { notificationPreferences } from "~/db/schema/notifications";
import { type ActionResult, badRequest, notFound, page } from "~/platform/action-result";
import type { Ctx } from "~/platform/context.server";
import { formActions } from "~/platform/form-actions.server";
import { NOTIFICATION_EVENTS } from "../preferences/default-preferences";
import { readUnsubscription, type Unsubscription } from "./token.server";

export type UnsubscribePage = {
  /** Says what is ended, as the page of preferences names it. Null: the link does not work. */
  label: string | null;
  isDone: boolean;
};

const ofLink = (ctx: Pick<Ctx, "config" | "request">): Unsubscription | null =>
  readUnsubscription(ctx.config, ctx.request.url.searchParams.get("token") ?? "");

/** Loads the page of a link that ends a kind of mail. Opening it ends nothing: programs open links too. */
export function loadUnsubscribePage(ctx: Ctx): ActionResult<UnsubscribePage> {
  const link = ofLink(ctx);
  const isDone = ctx.request.method === "POST";
  return link
    ? page({ label: NOTIFICATION_EVENTS[link.event].label, isDone })
    : page({ label: null, isDone: false }, 404);
}

/**
 * Ends a kind of mail, for the button of the page and for mail programs (RFC 8058): these post without cookies, and
 * want no redirect. The link alone says who it is, so there is no token of a form.
 */
export const unsubscribeActions = formActions<null, null, null>({
  intentField: null,
  reading: { only: ["List-Unsubscribe"] },
})({
  unsubscribe: {
    purpose: null,
    form: z.object({ "List-Unsubscribe": z.literal("One-Click") }),
    invalid: badRequest,
    run: async (ctx) => {
      const link = ofLink(ctx);
      if (!link) return notFound();
      await unsubscribe(ctx, link);
      return page(null);
    },
  },
});

/** Stores that somebody wants no more mail of a kind. Whoever has no account any more gets none. */
async function unsubscribe({ db }: Pick<Ctx, "db">, { userId, event }: Unsubscription): Promise<void> {
  const inApp = NOTIFICATION_EVENTS[event].inApp ?? false;
  await db
    .insert(notificationPreferences)
    .select(sql`SELECT id, ${event}, 0, ${inApp ? 1 : 0} FROM ${users} WHERE ${eq(users.id, userId)}`)
    .onConflictDoUpdate({
      target: [notificationPreferences.user_id, notificationPreferences.event],
      set: { by_mail: false },
    });
}
