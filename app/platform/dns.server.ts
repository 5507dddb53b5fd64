import * as z from "zod";
import { describeError } from "~/lib/errors";
import { type Duration, type Instant, minutes, seconds } from "~/lib/time";
import type { Ctx } from "./context.server";

export type DnsQuestion = { host: string; type: "TXT" | "MX" };

type DnsAnswer = { at: Instant } & ({ found: string[] } | { found: null; problem: string });

const TIMEOUT: Duration = seconds(2);
const LIFETIME: Duration = minutes(5);
const PAUSE: Duration = minutes(1);

const Answer = z.object({
  Status: z.int(),
  Answer: z.array(z.object({ type: z.int(), data: z.string() })).optional(),
});
const TYPE_NUMBERS: Record<DnsQuestion["type"], number> = { TXT: 16, MX: 15 };
/** Lists the codes of answers, no error and no such name: https://www.iana.org/assignments/dns-parameters. */
const ANSWERED = [0, 3];
const NO_ANSWER = "The DNS service gave no answer";
const PROBLEMS: Partial<Record<number, string>> = {
  2: "The name servers of the domain failed (SERVFAIL)",
  5: "The name servers of the domain refused to answer (REFUSED)",
};

/** Mails name hosts that a stranger chooses: without a limit they would fill the memory. */
const KNOWN_MAX = 500;

const known = new Map<string, DnsAnswer>();

/**
 * https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https. Never fails. An answer that is not `isRight` is
 * asked for again soon: it may just be set right.
 */
export async function lookUpDns(
  { config, log, now }: Pick<Ctx, "config" | "log" | "now">,
  { host, type }: DnsQuestion,
  isRight = (found: readonly string[]): boolean => found.length > 0,
): Promise<DnsAnswer> {
  const key = `${type} ${host}`;
  const last = known.get(key);
  if (last && now() - last.at < (last.found && isRight(last.found) ? LIFETIME : PAUSE)) return last;
  let answer: DnsAnswer = { found: null, problem: NO_ANSWER, at: now() };
  try {
    const address = new URL(config.DNS_API_URL);
    address.search = new URLSearchParams({ name: host, type }).toString();
    const response = await fetch(address, {
      headers: { Accept: "application/dns-json" },
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const { Status, Answer: records = [] } = Answer.parse(await response.json());
    answer = ANSWERED.includes(Status)
      ? {
          found: records.filter((one) => one.type === TYPE_NUMBERS[type]).map(({ data }) => textOf(data)),
          at: answer.at,
        }
      : { found: null, problem: PROBLEMS[Status] ?? `${NO_ANSWER} (status ${Status})`, at: answer.at };
  } catch (error) {
    log("warn", { event: "dns_not_answered", object_id: host, error: describeError(error) });
  }
  const [oldest] = known.keys();
  if (oldest !== undefined && known.size >= KNOWN_MAX) known.delete(oldest);
  known.set(key, answer);
  return answer;
}

const textOf = (data: string): string => data.replace(/"\s+"/g, "").replace(/^"|"$/g, "");
