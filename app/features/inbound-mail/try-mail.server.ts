import { sql } from "drizzle-orm";
import * as z from "zod";
import type { StaffActor } from "~/features/auth/guards.server";
import { staffTicketPath } from "~/features/tickets/paths";
import { ok, type Result } from "~/lib/errors";
import { absentAsEmpty, type ValidationError } from "~/lib/form";
import { referenceNumber } from "~/lib/ids";
import type { Ctx } from "~/platform/context.server";
import { formActions, invalidForm } from "~/platform/form-actions.server";
import { invalid, page } from "~/platform/responses.server";
import { readForwarded } from "./forwarded-mail.server";
import { NOT_TRIED, REASON_LABELS, TRY_TOO_LARGE, UNREADABLE_LABELS } from "./labels";
import { type Decision, decide, decideForward, readMatches } from "./match-mail.server";
import { type EndReason, type InboundState, TRY_MAX, type TriedMail, type UnreadableMail } from "./model";
import { type ParsedMail, parseMail } from "./parse-mail.server";
import { authenticateSender, interpretMail, type ReadMail, tierOf } from "./process-mail.server";
import { txtRecords, verifyDkim } from "./verify-dkim.server";

type Ending = { state: InboundState; reason: EndReason | null; would: string };

/**
 * Says of a mail where it would go and why, without any effect: nothing is written, mailed or counted. `lookUp`: asks
 * for the keys of signatures.
 */
export async function tryMail(
  ctx: Ctx,
  text: string,
  lookUp: Parameters<typeof verifyDkim>[1] = txtRecords(ctx),
): Promise<Result<TriedMail, UnreadableMail>> {
  const raw = new TextEncoder().encode(text.trimStart());
  const result = await parseMail({ body: raw, size: raw.byteLength });
  if (!result.ok) return result;
  const parsed = result.value;
  const now = ctx.now();
  const envelopeTo = recipientOf(ctx, parsed);
  // Without a key: where a mail that came before would go is just what is asked.
  const mail = { id: "", mail_key: null, envelope_from: null, envelope_to: envelopeTo, received_at: now };
  const read = interpretMail(parsed, mail);
  const { sender: address, class: mailClass } = read.matched;
  const [found, dkim] = await Promise.all([
    readMatches(ctx, read.matched, { isCounted: false }),
    verifyDkim({ raw, from: address, hasSeveralSenders: parsed.hasSeveralSenders }, lookUp, now),
  ]);
  const decision = decide(ctx, read.matched, found, authenticateSender(dkim.result, read));
  const number = "ticket" in decision ? decision.ticket.number : null;
  const reference = number === null ? null : referenceNumber("ticket", number);
  const ending = await endingOf(ctx, { read, decision, reference });
  return ok({
    facts: {
      ...read.details,
      ...tierOf(decision),
      ...{ state: ending.state, reason: ending.reason, class: mailClass, name: parsed.from?.name ?? "", address },
      ...{ envelopeTo, receivedAt: now, size: raw.byteLength },
      ticket: reference === null ? null : { reference, path: staffTicketPath(reference) },
      checked: dkim.result === "aligned" ? dkim.domain : null,
      signature: dkim.result,
    },
    would: ending.would,
    dkim,
    content: {
      text: read.text,
      whole: read.details.isTrimmed ? parsed.text : null,
      files: parsed.files.map(({ name }) => name),
    },
  });
}

/** Returns the address to which it came, where the mail says it: ours before all others. */
function recipientOf({ config }: Pick<Ctx, "config">, { headers, to, cc }: ParsedMail): string {
  const domain = config.MAIL_INBOUND_DOMAIN?.toLowerCase();
  const said = [...(headers["delivered-to"] ?? []), ...(headers["x-original-to"] ?? [])].map((each) => each.trim());
  const all = [...said, ...[...to, ...cc].map(({ address }) => address)];
  const isOurs = (address: string) => domain !== undefined && address.toLowerCase().endsWith(`@${domain}`);
  return all.find(isOurs) ?? all[0] ?? "";
}

type Decided = { read: Omit<ReadMail, "raw">; decision: Decision; reference: string | null };

async function endingOf(ctx: Pick<Ctx, "config" | "db">, { read, decision, reference }: Decided): Promise<Ending> {
  if (read.matched.class === "delivery_report")
    return {
      state: "bounced",
      reason: "report",
      would: "It would mark the mail that came back, if it names one of ours.",
    };
  if (read.defect) return held(read.defect);
  switch (decision.kind) {
    case "end": {
      const { state, reason } = decision;
      if (state === "held") return held(reason);
      return {
        state,
        reason,
        would: `It would be ${state === "dropped" ? "dropped" : "listed as automatic"}: ${REASON_LABELS[reason]}`,
      };
    }
    case "note":
      return { state: "automatic", reason: "automatic", would: `It would become an internal note on ${reference}.` };
    case "later":
      return held("staff_unproven");
    case "staff_reply":
      return staffReply(read, decision, reference);
    case "forward":
      return forward(ctx, read);
    default: {
      if (read.text === "" && read.parsed.files.length === 0) return held("empty");
      const { author } = decision;
      const name =
        "newContact" in author
          ? "a new contact"
          : "contact" in author
            ? author.contact.fullName
            : author.sender.fullName;
      if (decision.kind === "reply")
        return { state: "processed", reason: null, would: `It would become a message of ${name} on ${reference}.` };
      const [organization] = await ctx.db.all<{ name: string }>(
        sql`SELECT name FROM organizations WHERE id = ${decision.organizationId}`,
      );
      return {
        state: "processed",
        reason: null,
        would: `It would open a ticket of ${name} at ${organization?.name ?? ""}.`,
      };
    }
  }
}

function staffReply(
  read: Decided["read"],
  { sender, isAboutNote }: Extract<Decision, { kind: "staff_reply" }>,
  reference: string | null,
): Ending {
  if (read.text === "" && read.parsed.files.length === 0) return held("empty");
  if (isAboutNote) return held("answers_note");
  const would = `It would become the reply of ${sender.fullName} on ${reference}, unless a colleague has answered first.`;
  return { state: "processed", reason: null, would };
}

async function forward(ctx: Pick<Ctx, "config" | "db">, { parsed }: Decided["read"]): Promise<Ending> {
  const forwarded = await readForwarded(parsed);
  const opening = forwarded ? await decideForward(ctx, forwarded.sender.address) : "no_original_sender";
  if (typeof opening === "string") return held(opening);
  return { state: "processed", reason: null, would: `It would open a ticket for ${forwarded?.sender.address}.` };
}

const held = (reason: EndReason): Ending => ({
  state: "held",
  reason,
  would: `It would be held for you to decide: ${REASON_LABELS[reason]}`,
});

type TryBody = ValidationError | { values: { mail: string }; tried: TriedMail };

const isSmall = (text: string): boolean => new TextEncoder().encode(text).byteLength <= TRY_MAX;

const TryMailForm = absentAsEmpty(
  ["mail"],
  z.object({
    mail: z
      .string()
      .refine((text) => text.trim() !== "", "Paste a mail")
      .refine(isSmall, TRY_TOO_LARGE),
  }),
);

export const tryActions = formActions<StaffActor, null, TryBody>({ intentField: null, reading: { raw: ["mail"] } })({
  try: {
    ability: "ticket.handle",
    purpose: "mail-try",
    form: TryMailForm,
    failed: NOT_TRIED,
    invalid: invalidForm(NOT_TRIED),
    run: async (ctx, _actor, { input: { mail } }) => {
      const tried = await tryMail(ctx, mail);
      if (tried.ok) return page<TryBody>({ values: { mail }, tried: tried.value });
      return invalid<TryBody>({ title: NOT_TRIED, errors: { mail: UNREADABLE_LABELS[tried.code] }, values: { mail } });
    },
  },
});
