import { eq, sql } from "drizzle-orm";
import * as z from "zod";
import { users } from "~/db/schema/accounts";
import { notificationPreferences } from "~/db/schema/notifications";
import { withParams } from "~/lib/addresses";
import type { Ctx } from "~/platform/context.server";
import { readSigned, signed } from "~/platform/crypto.server";
import type { Config } from "~/platform/env.server";
import { formActions } from "~/platform/form-actions.server";
import { type ActionResult, badRequest, notFound, page } from "~/platform/responses.server";
import { NOTIFICATION_EVENTS, type NotificationEvent, notificationEvent, UNSUBSCRIBE_PATH } from "./model";

type Unsubscription = { userId: string; event: NotificationEvent };

type Signer = Pick<Config, "FORM_KEY_1">;

/** It works as long as the account: such mails are kept. */
export const unsubscribePath = ({ FORM_KEY_1 }: Signer, { userId, event }: Unsubscription): string =>
  withParams(UNSUBSCRIBE_PATH, { token: signed(FORM_KEY_1, "unsubscribe", `${userId}.${event}`) });

/** Null: it is not one of ours, or of mail that cannot be ended like this. */
function readUnsubscription({ FORM_KEY_1 }: Signer, token: string): Unsubscription | null {
  const [userId = "", name = ""] = readSigned(FORM_KEY_1, "unsubscribe", token)?.split(".") ?? [];
  const event = notificationEvent(name);
  return event && NOTIFICATION_EVENTS[event].isDigest ? { userId, event } : null;
}

export type UnsubscribePage = {
  /** Null: the link does not work. */
  label: string | null;
  isDone: boolean;
};

const ofLink = (ctx: Pick<Ctx, "config" | "request">): Unsubscription | null =>
  readUnsubscription(ctx.config, ctx.request.url.searchParams.get("token") ?? "");

/** Opening it ends nothing: programs open links too. */
export function loadUnsubscribePage(ctx: Ctx): ActionResult<UnsubscribePage> {
  const link = ofLink(ctx);
  const isDone = ctx.request.method === "POST";
  return link
    ? page({ label: NOTIFICATION_EVENTS[link.event].label, isDone })
    : page({ label: null, isDone: false }, 404);
}

/**
 * Also for mail programs (RFC 8058), which post without cookies: the link alone says who it is, so there is no token.
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

/** Whoever has no account any more gets none. */
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
