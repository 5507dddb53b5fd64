import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { plans } from "~/content/plans-and-prices";
import { userRoles } from "~/db/schema/accounts";
import { inboundMail } from "~/db/schema/inbound-mail";
import { organizationDomains } from "~/db/schema/organizations";
import { outbox } from "~/db/schema/outbox";
import { ticketCopies } from "~/db/schema/ticket-work";
import { measureTickets } from "~/features/analytics/measure-tickets.server";
import { gatherLetterMetrics } from "~/features/letters/draft-letters.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { MAIL_KINDS, type MailKind } from "~/features/mail/kinds";
import { planNamesOf } from "~/features/settings/model";
import { addCc } from "~/features/tickets/cc/actions.server";
import { addPerson } from "~/features/tickets/commands.server";
import { addInternalNote } from "~/features/tickets/internal-note.server";
import { replyAsStaff } from "~/features/tickets/reply-as-staff.server";
import { days, minutes } from "~/lib/time";
import { failureReport, mailIn, replyAddress } from "../support/inbound-mail";
import { ticketRow, ticketWorld } from "../support/tickets";

const NOTE = "zebracrossing";
const REPLY = "giraffeneck";

/**
 * Says of each kind of mail how internal notes could get into it. "ticket": it is put together from what was written on
 * a ticket, and the story below sends one. "letter": from what is counted. "staff": clients get none. "none": nothing
 * of a ticket is in its data.
 */
const WAYS: Record<MailKind, "ticket" | "letter" | "staff" | "none"> = {
  "ticket-received": "ticket",
  "ticket-update": "ticket",
  "ticket-copy": "ticket",
  letter: "letter",
  "reply-not-sent": "staff",
  "reply-sent-for-you": "staff",
  "daily-summary": "staff",
  "import-done": "staff",
  "submission-notice": "staff",
  "submission-update": "staff",
  "submissions-over-cap": "staff",
  "account-closure-notice": "staff",
  "security-alert": "staff",
  "factor-reset-notice": "staff",
  "mail-test": "staff",
  "submission-received": "none",
  "submission-reply": "none",
  "email-confirmation": "none",
  "account-exists": "none",
  "account-closure": "none",
  archive: "none",
  "password-reset": "none",
  "password-changed": "none",
  "password-locked": "none",
  "email-change-confirmation": "none",
  "email-change-notice": "none",
  "factor-changed": "none",
  "codes-refused": "none",
  "backup-code-used": "none",
  "new-device": "none",
  "membership-changed": "none",
  "role-changed": "none",
  "address-added": "none",
  "access-changed": "none",
  "factor-reset": "none",
  "account-invitation": "none",
  "organization-invitation": "none",
};

test("no mail to a client holds a word of an internal note, whatever happens on the ticket before, between and after", async () => {
  expect(Object.keys(WAYS).toSorted()).toEqual(Object.keys(MAIL_KINDS).toSorted());
  const { db } = (await ticketWorld()).base;
  await db.batch([db.delete(outbox), db.delete(userRoles), db.delete(inboundMail)]);
  const world = await ticketWorld();
  const { base, here, dana, sam, avery } = world;
  const { ctx, actor } = world.staff(sam);
  await base.db
    .insert(organizationDomains)
    .values({ domain: "notes.example", organization_id: here.id, created_at: 0 });
  const by = { side: "staff", by: { userId: sam.id, fullName: sam.fullName, side: "staff" } } as const;
  const key = () => crypto.randomUUID();

  const first = await mailIn(base, { from: "Lee <lee@notes.example>", subject: "Scanner" });
  const ticketId = first.ticket_id ?? "";
  const note = (text: string) =>
    addInternalNote(ctx, actor, { ticketId, text: `${NOTE} ${text} @${avery.fullName}`, nonce: key() });
  const pass = async () => {
    base.clock.advance(minutes(3));
    await deliverOutbox(base);
  };
  const reply = async (text: string, effect: "send" | "resolve" = "send") => {
    const sent = { ticketId, text: `${REPLY} ${text}`, effect, resolution: `${REPLY} done`, nonce: key() } as const;
    expect((await replyAsStaff(ctx, actor, { ...sent, baseMessage: 1_000 })).ok).toBe(true);
  };

  await note("before");
  await addPerson(ctx, by, { ticketId, userId: dana.id, nonce: key() });
  await addCc(ctx, by, { ticketId, email: "owner@notes-landlord.example", nonce: key() });
  await reply("one");
  await note("between");
  await pass();
  const { number } = await ticketRow(base, ticketId);
  const copies = await base.db.select().from(ticketCopies).where(eq(ticketCopies.ticket_id, ticketId));
  const to = replyAddress(base, { id: ticketId, number }, copies.find((each) => each.contact_id)?.id ?? "");
  expect(await mailIn(base, { from: "lee@notes.example", to, text: "Still" })).toMatchObject({ effect: "replied" });
  await note("after the answer");
  const away = { "Auto-Submitted": "auto-replied" };
  expect(await mailIn(base, { from: "lee@notes.example", to, text: `${NOTE} away`, headers: away })).toMatchObject({
    effect: "noted",
  });
  await mailIn(base, { from: "lee@notes.example", subject: "Another", text: "Door" });
  await reply("two");
  await pass();
  const [left] = await base.db.select().from(outbox).where(eq(outbox.kind, "ticket-copy"));
  await base.db.update(outbox).set({ provider_message_id: "left@provider.example" });
  const report = failureReport(left?.provider_message_id ?? "left@provider.example", "lee@notes.example");
  await mailIn(base, { from: "mailer-daemon@mx.example", envelopeFrom: "", text: `${report} ${NOTE}` });
  await reply("", "resolve");
  await note("after the end");
  await pass();
  await mailIn(base, { from: "lee@notes.example", to, text: "Again" });
  await reply("three");
  await pass();
  await reply("", "resolve");
  base.clock.advance(days(20));
  const late = await mailIn(base, { from: "lee@notes.example", to, text: "Months later" });
  expect(late).toMatchObject({ effect: "follow_up" });
  await note("at last");
  await pass();
  await pass();

  const toStaff = new Set([sam.email, avery.email]);
  const mails = base.sent.filter((mail) => !toStaff.has(mail.to));
  const kinds = new Set((await base.db.select({ kind: outbox.kind }).from(outbox)).map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual(
    Object.keys(WAYS)
      .filter((kind) => WAYS[kind as MailKind] === "ticket")
      .toSorted(),
  );
  expect(new Set(mails.map((mail) => mail.to))).toEqual(
    new Set(["lee@notes.example", "owner@notes-landlord.example", dana.email]),
  );
  for (const person of ["lee@notes.example", "owner@notes-landlord.example", dana.email]) {
    const own = mails.filter((mail) => mail.to === person);
    expect(own.some(({ text }) => text.includes(`${REPLY} two`))).toBe(true);
    expect(own.some(({ text }) => text.includes("Earlier:") && text.includes(`${REPLY} one`))).toBe(true);
  }
  expect(mails.filter((mail) => JSON.stringify(mail).includes(NOTE))).toEqual([]);

  await measureTickets(base);
  const facts = { contractStartedAt: null, people: 1, withoutSecondFactor: 0, plan: "core" as const, number: 1 };
  const month = { month: "2026-11", zone: "America/Chicago", planNames: planNamesOf(plans) };
  const letter = await gatherLetterMetrics(base.db, { ...here, name: "Larkspur Row", ...facts }, month);
  expect(JSON.stringify(letter)).not.toContain(NOTE);
});
