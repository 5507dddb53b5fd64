import type { MailThread } from "~/features/mail/model";
import { keyedHash } from "~/platform/crypto.server";
import type { Config } from "~/platform/env.server";

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
const TAG_LENGTH = 10;

type Thread = { ticketId: string; number: number; userId: string };

/**
 * Returns the names of a thread for one recipient: the tag binds ticket and person, so that an address that was passed
 * on tells whose it was, and no tag of one ticket can be made into that of another.
 */
export function threadOf(config: Config, { ticketId, number, userId }: Thread): MailThread {
  const token = `t${number}.${tagOf(config, { ticketId, userId })}`;
  const inbound = config.MAIL_INBOUND_DOMAIN;
  return {
    id: `<${token}@${inbound ?? sendingDomain(config)}>`,
    reply: inbound ? { address: `support+${token}@${inbound}`, token } : null,
  };
}

function tagOf(config: Config, { ticketId, userId }: Pick<Thread, "ticketId" | "userId">): string {
  const bytes = Buffer.from(keyedHash(config.LOG_HMAC_KEY, "mail-thread", `${ticketId}\n${userId}`), "base64url");
  // Each byte gives five bits: 256 is a multiple of 32, so that no letter is likelier than another.
  return Array.from(bytes.subarray(0, TAG_LENGTH), (byte: number) => BASE32[byte % BASE32.length]).join("");
}

const sendingDomain = ({ MAIL_FROM, APP_ORIGIN }: Config): string =>
  /@([^@>\s]+)>?$/.exec(MAIL_FROM)?.[1] ?? new URL(APP_ORIGIN).hostname;
