import { sql } from "drizzle-orm";
import { commit, expectChange, type Statement } from "~/db/client.server";
import { mailChecks } from "~/db/schema/outbox";
import { SYSTEM, toAuditActor } from "~/features/audit/model";
import { recordAudit } from "~/features/audit/record-audit.server";
import { saveSetting } from "~/features/settings/publish-settings.server";
import { getSettings } from "~/features/settings/queries.server";
import type { Ctx } from "~/platform/context.server";
import { shownMailStatus } from "./mail-pause.server";

type MailCheck = Omit<typeof mailChecks.$inferSelect, "token" | "asked_by">;

/** With what the outbox knows of the mail. Its row may be gone. */
export type StartedCheck = MailCheck & {
  to: string | null;
  sentAt: number | null;
  providerId: string | null;
  status: string | null;
  failure: string | null;
};

export const listMailChecks = (db: Ctx["db"]): Promise<StartedCheck[]> =>
  db.all(sql`SELECT c.direction, c.domain, c.recipient, c.mail_id, c.asked_at, c.arrived_at, c.arrival, u.email AS "to",
      o.sent_at AS sentAt, o.provider_message_id AS providerId, ${sql.raw(shownMailStatus("o"))} AS status, o.last_error AS failure
    FROM mail_checks c LEFT JOIN users u ON u.id = c.asked_by LEFT JOIN outbox o ON o.id = c.mail_id`);

const TOKEN = "[a-z2-7]{16}";
const IN_ADDRESS = new RegExp(`^[^@+]+\\+test\\.(${TOKEN})@`);
const IN_SUBJECT = new RegExp(`^Mail test (${TOKEN})$`);

export const checkAddress = (token: string, domain: string): string => `support+test.${token}@${domain}`;

/**
 * Takes the test mail that was sent to ourselves, and nothing else: then mails may ask to be answered at its domain.
 * Returns whether it was one.
 */
export async function receiveTestMail(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  mail: { to: string; subject: string },
): Promise<boolean> {
  const withDetail = IN_ADDRESS.exec(mail.to.toLowerCase())?.[1];
  const token = withDetail ?? IN_SUBJECT.exec(mail.subject.trim())?.[1];
  if (!token) return false;
  const [check] = await ctx.db.all<{ domain: string; userId: string | null; fullName: string; email: string }>(sql`
    SELECT c.domain, u.id AS userId, u.full_name AS fullName, u.email FROM mail_checks c
    LEFT JOIN users u ON u.id = c.asked_by WHERE c.direction = 'in' AND c.token = ${token}`);
  if (!check) return false;
  const { domain, userId, ...person } = check;
  const arrival = withDetail ? ("received" as const) : ("without_detail" as const);
  const actor = userId ? toAuditActor({ userId, role: "admin", ...person }) : SYSTEM;
  await commit(ctx.db, [
    ctx.db
      .update(mailChecks)
      .set({ arrived_at: ctx.now(), arrival })
      // With the detail it counts even if it has come without before.
      .where(
        sql`${mailChecks.direction} = 'in' AND ${mailChecks.token} = ${token}
          AND (${mailChecks.arrival} IS NULL OR ${mailChecks.arrival} <> 'received')`,
      ),
    expectChange(ctx.db),
    ...(withDetail ? await changeProvenDomain(ctx, domain, actor) : []),
  ]);
  return true;
}

/** Sets the domain at which mails may be answered. `domain` null: none asks for it any more. */
export async function changeProvenDomain(
  ctx: Pick<Ctx, "db" | "now" | "request" | "signedIn">,
  domain: string | null,
  actor?: Parameters<typeof recordAudit>[2]["actor"],
): Promise<Statement[]> {
  const { provenInboundDomain: before } = await getSettings(ctx.db);
  if (before === domain) return [];
  return [
    saveSetting(ctx, "provenInboundDomain", domain),
    recordAudit(ctx, "settings.changed", {
      subject: { type: "settings", id: "provenInboundDomain", label: null },
      meta: {
        before: { provenInboundDomain: before },
        after: { provenInboundDomain: domain },
        changed: [`Mails may be answered at: ${before ?? "no domain"} to ${domain ?? "no domain"}`],
      },
      ...(actor ? { actor } : {}),
    }),
  ];
}
