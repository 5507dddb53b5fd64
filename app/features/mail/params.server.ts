import * as z from "zod";
import { PLATFORM_ROLES } from "~/access/model";
import { HELD_SUBMISSIONS_PATH } from "~/lib/addresses";
import { normalizeEmail } from "~/lib/email";
import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";
import { decryptValue, encryptValue } from "~/platform/data-keys.server";
import type { MailData, MailKind } from "./model";

const Invitation = z.object({
  path: z.string(),
  removePath: z.string(),
  inviter: z.string(),
  expiresOn: z.string(),
  role: z.string(),
});

const Empty = z.record(z.string(), z.never());
const WithLink = z.object({ path: z.string() });

const Ticket = z.object({
  number: z.string(),
  title: z.string(),
  path: z.string(),
  status: z.string(),
  replyBy: z.string().nullable(),
  resolveBy: z.string().nullish(),
  thread: z.object({
    id: z.string(),
    reply: z.object({ address: z.string(), token: z.string() }).nullable(),
  }),
});

const Earlier = z.array(z.object({ author: z.string(), at: z.string(), text: z.string() }));
const Events = z.array(z.object({ sentence: z.string(), text: z.string().nullable() }));
const Facts = z.array(z.object({ term: z.string(), detail: z.string() })).default([]);
const Text = z.string().nullable().default(null);

/** Describes the stored data of each kind. A worker of the previous version may have written it, with fewer fields. */
const DATA: { [Kind in MailKind]: z.ZodType<MailData[Kind]> } = {
  "submission-received": z.object({ firstName: z.string(), message: Text, estimate: Facts, replyBy: Text }),
  "submission-notice": z.object({
    name: z.string(),
    email: z.string(),
    phone: Text,
    company: Text,
    message: Text,
    estimate: Facts,
    file: z.object({ name: z.string(), bytes: z.number() }).nullable().default(null),
    replyBy: Text,
  }),
  "submission-update": z.object({ name: z.string(), company: Text, events: Events, facts: Facts, estimate: Facts }),
  "submission-reply": z.object({ author: z.string(), message: z.string() }),
  "submissions-over-cap": z.object({
    day: z.string(),
    cap: z.number(),
    path: z.string().default(HELD_SUBMISSIONS_PATH),
  }),
  "daily-summary": z.object({
    day: z.string(),
    facts: Facts,
    path: z.string(),
    choicesPath: z.string(),
    unsubscribePath: Text,
  }),
  letter: z.object({
    title: z.string(),
    organization: z.string(),
    verdict: z.string(),
    sentences: z.array(z.string()).default([]),
    numbers: Facts,
    misses: Facts,
    signedBy: z.string(),
    path: z.string(),
    unsubscribePath: Text,
  }),
  "email-confirmation": WithLink,
  "account-exists": Empty,
  "account-closure": z.object({ state: z.enum(["requested", "declined", "closed"]), reason: Text }),
  "account-closure-notice": z.object({ name: z.string(), email: z.string(), path: z.string() }),
  "password-reset": WithLink,
  "password-changed": z.object({ notMePath: z.string() }),
  "password-locked": Empty,
  "email-change-confirmation": WithLink,
  "email-change-notice": z.object({ newEmail: z.string(), undoPath: z.string() }),
  "factor-changed": z.object({
    change: z.enum(["enabled", "reconfigured", "disabled", "codes_renewed"]),
    notMePath: z.string(),
  }),
  "codes-refused": Empty,
  "backup-code-used": z.object({ codesLeft: z.number(), notMePath: z.string() }),
  "new-device": z.object({ device: z.string(), network: z.string(), notMePath: z.string() }),
  "membership-changed": z.object({
    organization: z.string(),
    change: z.enum([
      "approved",
      "suspended",
      "reactivated",
      "removed",
      "made_admin",
      "made_member",
      "made_owner",
      "no_longer_owner",
    ]),
  }),
  "role-changed": z.object({ role: z.enum(PLATFORM_ROLES) }),
  "access-changed": z.object({
    change: z.enum([
      "deactivated",
      "reactivated",
      "sessions_ended",
      "session_ended",
      "unlocked",
      "password_change_required",
    ]),
  }),
  "factor-reset": WithLink,
  "factor-reset-notice": z.object({ name: z.string(), email: z.string(), by: z.string(), reason: z.string() }),
  "security-alert": z.object({ alerts: Facts, path: z.string() }),
  "account-invitation": Invitation,
  "organization-invitation": Invitation.extend({ organization: z.string(), isNew: z.boolean().default(true) }),
  "ticket-received": Ticket.extend({ message: z.string() }),
  "ticket-copy": Ticket.extend({ organization: z.string(), events: Events, earlier: Earlier }),
  "ticket-update": Ticket.extend({
    organization: z.string(),
    isForStaff: z.boolean(),
    events: Events,
    earlier: Earlier,
    solved: z.object({ yes: z.string(), no: z.string() }).nullable(),
    opened: z
      .array(z.object({ number: z.string(), title: z.string(), by: z.string(), isUrgent: z.boolean() }))
      .nullish(),
  }),
};

const Envelope = z.object({ to: z.string(), data: z.unknown() });

/** Tells whether this version of the product knows the kind; a newer one may have queued others. */
export const isMailKind = (kind: string): kind is MailKind => Object.hasOwn(DATA, kind);

/** Binds the encrypted parameters to their row. */
export const mailParamsContext = (id: string): string => `outbox:${id}`;

/** Recipient and data are personal, some are links: they can be decrypted only by us and only in this row. */
export const encryptParams = (
  ctx: Pick<Ctx, "config">,
  id: string,
  params: { to: string; data: MailData[MailKind] },
): string => encryptValue(ctx.config, mailParamsContext(id), JSON.stringify(params));

/** Decrypts the parameters. Throws when the key or the row is not the original one. */
export const decryptParams = (ctx: Pick<Ctx, "config">, id: string, encrypted: string): string =>
  decryptValue(ctx.config, mailParamsContext(id), encrypted);

/** Parses decrypted parameters. Throws when the data do not match the kind of mail. */
export function parseParams<Kind extends MailKind>(kind: Kind, text: string): { to: string; data: MailData[Kind] } {
  const { to, data } = Envelope.parse(JSON.parse(text));
  return { to, data: DATA[kind].parse(data) };
}

/** Stands for the recipient where limits and bounces look for rows: without the key nobody can guess it. */
export const recipientHash = (ctx: Pick<Ctx, "config">, to: string): string =>
  keyedHash(ctx.config.LOG_HMAC_KEY, "mail-recipient", normalizeEmail(to));
