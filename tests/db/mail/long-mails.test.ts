import { expect, test } from "vitest";
import { outbox } from "~/db/schema/outbox";
import { tickets } from "~/db/schema/tickets";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { MAX_ATTEMPTS } from "~/features/mail/lease-outbox.server";
import { MESSAGE_LIMIT } from "~/features/tickets/model";
import { hours, minutes } from "~/lib/time";
import { makePerson } from "../../support/factories";
import { mailRow, queueMail } from "../../support/outbox";
import { announcementWorld, asClient, collectedMails } from "../../support/ticket-announcements";

test("many long replies that all staff hear of leave, as much of them as fits, and hold up no other mail", async () => {
  const { ctx, world } = await announcementWorld();
  for (let count = 0; count < 20; count += 1) await makePerson(ctx, { role: "moderator" });
  await ctx.db.update(tickets).set({ assigned_to: null });
  for (let count = 0; count < 8; count += 1) await world.write(asClient(world.client), "漢".repeat(MESSAGE_LIMIT));
  const other = await queueMail(ctx, { notBefore: ctx.now() + minutes(2) });
  await collectedMails(ctx);
  await deliverOutbox(ctx);
  const toStaff = ctx.sent.filter(({ id }) => id !== other.id);
  expect([toStaff.length, ctx.sent.length]).toEqual([22, 23]);
  for (const { text } of toStaff) {
    // Each is told, and two of them in full.
    expect(text.split("wrote:")).toHaveLength(9);
    expect([...text].filter((character) => character === "漢")).toHaveLength(2 * MESSAGE_LIMIT);
  }
});

test("a mail that cannot be composed is tried again alone, and at last given up", async () => {
  const { ctx, world } = await announcementWorld();
  await world.write(asClient(world.client), "Still broken");
  const [{ id } = { id: "" }] = await ctx.db.select({ id: outbox.id }).from(outbox);
  const { composeMails } = ctx.subjects.ticket;
  ctx.subjects = {
    ...ctx.subjects,
    ticket: {
      ...ctx.subjects.ticket,
      composeMails: async (composer, ids) => {
        if (ids.includes(id)) throw new RangeError("Nobody can write this");
        return composeMails?.(composer, ids) ?? new Map();
      },
    },
  };
  const other = await queueMail(ctx, { notBefore: ctx.now() + minutes(2) });
  expect((await collectedMails(ctx)).map((mail) => mail.id)).toEqual([other.id]);
  expect(await mailRow(ctx, id)).toMatchObject({ status: "pending", attempts: 1, last_error: "not_composed" });
  for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
    ctx.clock.advance(hours(6));
    await deliverOutbox(ctx);
  }
  expect(await mailRow(ctx, id)).toMatchObject({ status: "dead", params_enc: null });
});
