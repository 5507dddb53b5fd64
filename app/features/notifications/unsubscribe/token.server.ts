import { withParams } from "~/lib/addresses";
import { equalInConstantTime, keyedHash } from "~/platform/crypto.server";
import type { Config } from "~/platform/env.server";
import { UNSUBSCRIBE_PATH } from "../model";
import { NOTIFICATION_EVENTS, type NotificationEvent, notificationEvent } from "../preferences/default-preferences";

/** Names who wants no more mail of which kind. */
export type Unsubscription = { userId: string; event: NotificationEvent };

type Signer = Pick<Config, "FORM_KEY_1">;

const mac = ({ FORM_KEY_1 }: Signer, payload: string): string => keyedHash(FORM_KEY_1, "unsubscribe", payload);

/**
 * Returns the link by which somebody ends a kind of mail, without signing in: whoever has it may do that, and nothing
 * else. It works as long as the account does, because such mails are kept.
 */
export function unsubscribePath(config: Signer, { userId, event }: Unsubscription): string {
  const payload = `${userId}.${event}`;
  return withParams(UNSUBSCRIBE_PATH, { token: `${payload}.${mac(config, payload)}` });
}

/** Reads a token. Null: it is not one of ours, or of mail that cannot be ended like this. */
export function readUnsubscription(config: Signer, token: string): Unsubscription | null {
  const [userId = "", name = "", signature = "", ...rest] = token.split(".");
  if (rest.length > 0 || !equalInConstantTime(signature, mac(config, `${userId}.${name}`))) return null;
  const event = notificationEvent(name);
  return event && NOTIFICATION_EVENTS[event].isDigest ? { userId, event } : null;
}
