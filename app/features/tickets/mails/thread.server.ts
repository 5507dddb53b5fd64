import type { MailThread } from "~/features/mail/kinds/tickets";
import type { ShortSettings } from "~/features/settings/model";
import { keyedHash } from "~/platform/crypto.server";
import type { Config } from "~/platform/env.server";

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";
const TAG_LENGTH = 10;

type Thread = { ticketId: string; number: number; userId: string };

/**
 * Returns the names of a thread for one recipient: the tag binds ticket and person, so that an address that was passed
 * on tells whose it was, and no tag of one ticket can be made into that of another.
 */
export function mailThreadOf(
  config: Config,
  settings: Pick<ShortSettings, "provenInboundDomain">,
  { ticketId, number, userId }: Thread,
): MailThread {
  const token = `t${number}.${tagOf(config, { ticketId, userId })}`;
  const answered = answeredDomain(config, settings);
  return {
    id: `<${token}@${config.MAIL_INBOUND_DOMAIN ?? sendingDomain(config)}>`,
    reply: answered ? { address: `support+${token}@${answered}`, token } : null,
  };
}

/**
 * Returns the domain at which mails may be answered: a mail that was sent there has come back to us. That it is
 * configured alone proves nothing, and an answer that bounces is worse than none. Null: no mail asks for one.
 */
const answeredDomain = (
  { MAIL_INBOUND_DOMAIN: configured }: Config,
  { provenInboundDomain }: Pick<ShortSettings, "provenInboundDomain">,
): string | null => (configured && configured === provenInboundDomain ? configured : null);

function tagOf(config: Config, { ticketId, userId }: Pick<Thread, "ticketId" | "userId">): string {
  const bytes = Buffer.from(keyedHash(config.LOG_HMAC_KEY, "mail-thread", `${ticketId}\n${userId}`), "base64url");
  // Each byte gives five bits: 256 is a multiple of 32, so that no letter is likelier than another.
  return Array.from(bytes.subarray(0, TAG_LENGTH), (byte: number) => BASE32[byte % BASE32.length]).join("");
}

const sendingDomain = ({ MAIL_FROM, APP_ORIGIN }: Config): string =>
  /@([^@>\s]+)>?$/.exec(MAIL_FROM)?.[1] ?? new URL(APP_ORIGIN).hostname;
