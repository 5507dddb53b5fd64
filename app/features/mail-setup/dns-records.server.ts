import type { Ctx } from "~/platform/context.server";
import { type DnsQuestion, lookUpDns } from "~/platform/dns.server";
import type { DnsRecord } from "./model";

type Wanted = DnsQuestion & {
  name: string;
  flaw: (found: readonly string[]) => string | null;
  wanted: string;
  literal: string | null;
  fix: string;
};

/** Without a provider there is no mail that needs them. */
export async function readDnsRecords(ctx: Pick<Ctx, "config" | "log" | "now">): Promise<DnsRecord[]> {
  const wanted = wantedRecords(ctx.config);
  if (ctx.config.MAIL_PROVIDER === "capture") {
    return wanted.map((record) =>
      recordOf(record, { state: "off", flaw: "Not looked up: no mail is sent yet.", at: ctx.now() }),
    );
  }
  return Promise.all(
    wanted.map(async (record) => {
      const { at, ...answer } = await lookUpDns(ctx, record, (found) => record.flaw(found) === null);
      if (answer.found === null)
        return recordOf({ ...record, fix: CHECK_AGAIN }, { state: "unknown", flaw: answer.problem, at });
      const flaw = record.flaw(answer.found);
      const found = answer.found.join(", ");
      return recordOf(record, { state: flaw === null ? "ok" : "attention", flaw, found, at });
    }),
  );
}

const CHECK_AGAIN =
  "Check again in a minute. If it stays like this, look at the name servers of the domain, and at DNS_API_URL if you have set it.";

const recordOf = (
  { name, host, type, wanted, literal, fix }: Wanted,
  { found = "", ...rest }: Pick<DnsRecord, "state" | "flaw" | "at"> & { found?: string },
): DnsRecord => ({ name, host, type, wanted, literal, fix, found, ...rest });

export const senderDomain = ({ MAIL_FROM, APP_ORIGIN }: Ctx["config"]): string =>
  /@([^@>\s]+)>?$/.exec(MAIL_FROM)?.[1] ?? new URL(APP_ORIGIN).hostname;

/** Under them the providers publish their keys, unless the configuration names another. */
const SELECTORS: Partial<Record<string, string>> = { cloudflare: "cf2024-1", http: "resend" };

/** Cloudflare's own, as https://developers.cloudflare.com/email-service names them. */
const CLOUDFLARE_SPF = "include:_spf.mx.cloudflare.net";
const CLOUDFLARE_MX = /\bmx\.cloudflare\.net\.?$/i;

const CLOUDFLARE_SERVERS = ["route1", "route2", "route3"].map((name) => `${name}.mx.cloudflare.net`).join(", ");

/** Receivers must trust our mail, and answers arrive. */
function wantedRecords(config: Ctx["config"]): Wanted[] {
  const domain = senderDomain(config);
  const selector = config.MAIL_DKIM_SELECTOR ?? SELECTORS[config.MAIL_PROVIDER] ?? "resend";
  const inbound = config.MAIL_INBOUND_DOMAIN ?? domain;
  const isCloudflare = config.MAIL_PROVIDER === "cloudflare";
  // What it sends bears this domain in the envelope.
  const spf = isCloudflare ? `cf-bounce.${domain}` : domain;
  const key = `${selector}._domainkey.${domain}`;
  return [
    {
      name: "SPF",
      type: "TXT",
      host: spf,
      flaw: (found) =>
        flawOfSpf(
          found.filter((text) => /^v=spf1(\s|$)/i.test(text)),
          isCloudflare ? CLOUDFLARE_SPF : "",
        ),
      wanted: isCloudflare
        ? `v=spf1 ${CLOUDFLARE_SPF} ~all at ${spf}`
        : `One TXT record at ${spf} that begins with v=spf1`,
      literal: isCloudflare ? `v=spf1 ${CLOUDFLARE_SPF} ~all` : null,
      fix: "Add the SPF record that your mail provider names; one record can list several providers.",
    },
    {
      name: "DKIM",
      type: "TXT",
      host: key,
      flaw: (found) => (found.some((text) => /\bp=[a-z0-9+/]/i.test(text)) ? null : "No key found"),
      wanted: `A TXT record at ${key} with a key`,
      literal: null,
      fix: "Add the DKIM record that your mail provider names. If it has another selector, set MAIL_DKIM_SELECTOR.",
    },
    {
      name: "DMARC",
      type: "TXT",
      host: `_dmarc.${domain}`,
      flaw: (found) => (found.some((text) => /^v=DMARC1\s*;\s*p=/i.test(text)) ? null : "No rule found"),
      wanted: `A TXT record at _dmarc.${domain} that begins with v=DMARC1`,
      literal: "v=DMARC1; p=none",
      fix: `Begin with "v=DMARC1; p=none; rua=mailto:" and an address of yours, and become stricter when reports are clean.`,
    },
    {
      name: "MX",
      type: "MX",
      host: inbound,
      flaw: (found) => {
        if (!found.some((text) => !/^0 \.$/.test(text))) return "No mail server found";
        return !config.MAIL_INBOUND_DOMAIN || found.some((text) => CLOUDFLARE_MX.test(text))
          ? null
          : "Mail goes elsewhere: no server of Email Routing is among them";
      },
      wanted: config.MAIL_INBOUND_DOMAIN
        ? `MX records at ${inbound} that lead to mx.cloudflare.net`
        : `An MX record at ${inbound}`,
      literal: config.MAIL_INBOUND_DOMAIN ? CLOUDFLARE_SERVERS : null,
      fix: "Without it, replies to our mails get lost. Turn on Email Routing, or add the record of your mail service.",
    },
  ];
}

const flawOfSpf = (records: readonly string[], include: string): string | null => {
  const [record, another] = records;
  if (record === undefined) return "No SPF record found";
  if (another !== undefined) return `${records.length} SPF records found: receivers then trust none`;
  return record.toLowerCase().includes(include) ? null : `${include} is missing from it`;
};
