import { sql } from "drizzle-orm";
import { TERMS_VERSION } from "~/content/legal";
import { claimKey, commit, findClaim, type Statement } from "~/db/client.server";
import { counters } from "~/db/schema/machinery";
import { contactSubmissions } from "~/db/schema/submissions";
import { type CheckedFile, storeAttachment } from "~/features/attachments/store-attachment.server";
import { recordAudit } from "~/features/audit/record-audit.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { enqueueMail } from "~/features/mail/enqueue-mail.server";
import type { Estimate } from "~/features/pricing/estimate";
import { getSettings } from "~/features/settings/queries.server";
import type { Ctx } from "~/platform/context.server";
import { keyedHash } from "~/platform/crypto.server";
import { recordLiveEvent } from "~/platform/record-live-event.server";
import type { ContactInput } from "./forms.server";
import type { HeldReason } from "./model";

export type ContactRequest = {
  input: ContactInput;
  file: CheckedFile | null;
  /** What came along from the pricing page, priced by us. */
  estimate?: Estimate | null;
  /** The nonce of the form token: the same form posted again leads to the same result. */
  nonce: string;
  held: HeldReason | null;
};

export const CONTACT_SENT_LOCATION = "/contact?sent=1#contact-form";

/**
 * Stores an assessment request with everything that follows from it, in one batch: number, record, file, audit, the
 * visitor's acknowledgement, the notice to staff and the live note. A held request is stored silently: no mail leaves
 * and nobody is told until a person has released it.
 *
 * A repeated post of the same form stores nothing and counts as done. Throws when D1 or R2 is down.
 */
export async function submitContact(ctx: Ctx, { input, file, estimate, nonce, held }: ContactRequest): Promise<void> {
  const [settings, earlier] = await Promise.all([getSettings(ctx.db), findClaim(ctx.db, nonce, "contact")]);
  if (earlier) return;

  const id = ctx.newId("sub");
  const at = ctx.now();
  const name = `${input.first_name} ${input.last_name}`;
  const stored = file ? await storeAttachment(ctx, file) : null;

  const announcements: Statement[] = held
    ? []
    : [
        enqueueMail(ctx, "submission-received", {
          to: input.email,
          data: { submissionId: id, firstName: input.first_name },
        }),
        enqueueMail(ctx, "submission-notice", {
          to: settings.adminEmail,
          data: { submissionId: id, name, email: input.email, company: input.company, message: input.message },
        }),
        recordLiveEvent(ctx, { audience: "staff", type: "new_submission", objectId: id, label: name }),
      ];

  const written = await commit(ctx.db, [
    ...claimKey(ctx.db, { key: nonce, scope: "contact", resultLocation: CONTACT_SENT_LOCATION, at }),
    ...(stored ? [stored.statement] : []),
    ctx.db
      .update(counters)
      .set({ value: sql`${counters.value} + 1` })
      .where(sql`${counters.name} = 'submission'`),
    ctx.db.insert(contactSubmissions).values({
      id,
      number: sql`(select value from counters where name = 'submission')`,
      first_name: input.first_name,
      last_name: input.last_name,
      email: input.email,
      phone: input.phone,
      company: input.company,
      message: input.message,
      status: settings.autoAssignStatus,
      held_reason: held,
      estimate_json: estimate ? JSON.stringify(estimate) : null,
      attachment_id: stored?.id ?? null,
      consent_at: at,
      consent_terms_version: TERMS_VERSION,
      ip_hash: keyedHash(ctx.config.LOG_HMAC_KEY, "submission-ip", ctx.request.ip),
      created_at: at,
      updated_at: at,
    }),
    recordAudit(ctx, "submission.received", { objectType: "submission", objectId: id, meta: held ? { held } : {} }),
    ...announcements,
  ]);

  // A lost claim: the same form, posted twice at once, has done all of this a moment ago.
  if (!written || held) return;
  ctx.after(ctx.live.nudge("staff"));
  ctx.after(deliverOutbox(ctx));
}
