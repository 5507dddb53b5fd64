import type { Statement } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import type { Instant } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { MAIL_PRIORITIES, type MailData, type MailKind } from "./model";
import { recipientHash, sealParams } from "./params.server";

type QueuedMail<Kind extends MailKind> = {
  /** One address. */
  to: string;
  data: MailData[Kind];
  /** Holds the mail back until then, as for a reply that can still be undone. */
  notBefore?: Instant;
};

/**
 * The statement that queues a mail. It belongs into the batch of the change it tells about, so that neither exists
 * without the other; afterwards the caller hands `deliverOutbox(ctx)` to `ctx.after`, and the timetable takes care of
 * the rest. Messages may say that a mail is queued, never that it was sent.
 */
export function enqueueMail<Kind extends MailKind>(ctx: Ctx, kind: Kind, mail: QueuedMail<Kind>): Statement {
  const { to, data, notBefore } = mail;
  const id = ctx.newId("mail");
  const at = ctx.now();
  return ctx.db.insert(outbox).values({
    id,
    kind,
    to_hash: recipientHash(ctx, to),
    params_enc: sealParams(ctx, id, { to, data }),
    object_id: "submissionId" in data ? data.submissionId : null,
    priority: MAIL_PRIORITIES[kind],
    status: "pending",
    next_at: notBefore ?? at,
    created_at: at,
  });
}
