import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { commit, expectRow } from "~/db/client.server";
import { outbox } from "~/db/schema/outbox";
import { contactSubmissions } from "~/db/schema/submissions";
import { decryptParams, enqueueMail, recipientHash } from "~/features/mail/enqueue-mail.server";
import { minutes } from "~/lib/time";
import { testContext } from "../../support/context";
import { mailRow, queueMail } from "../../support/outbox";

test("a queued mail shows neither recipient nor content to whoever reads the table", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx, { to: "dana@clinic.example" });
  const row = await mailRow(ctx, id);
  expect(JSON.stringify(row)).not.toMatch(/dana|clinic|Priya/);
  expect(row).toMatchObject({ status: "pending", attempts: 0, kind: "submission-received", next_at: ctx.now() });
});

test("what was sealed for one mail cannot be read as another", async () => {
  const ctx = testContext();
  const one = await queueMail(ctx);
  const other = await queueMail(ctx);
  const { params_enc } = await mailRow(ctx, one.id);
  expect(decryptParams(ctx, one.id, params_enc ?? "")).toContain(one.to);
  expect(() => decryptParams(ctx, other.id, params_enc ?? "")).toThrow();
});

test("rows of one recipient can be found without knowing the address", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx, { to: "noor@littleoaks.example" });
  const rows = await ctx.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(eq(outbox.to_hash, recipientHash(ctx, " Noor@LittleOaks.example ")));
  expect(rows).toEqual([{ id }]);
});

test("a mail whose change was rejected does not exist", async () => {
  const ctx = testContext();
  const before = await ctx.db.$count(outbox);
  const written = await commit(ctx.db, [
    expectRow(ctx.db, contactSubmissions, eq(contactSubmissions.id, "sub_never")),
    enqueueMail(ctx, "submission-received", {
      to: "a@b.example",
      about: { type: "submission", id: "sub_never" },
      data: { firstName: "Priya", message: null, estimate: [], replyBy: null },
    }),
  ]);
  expect(written).toBe(false);
  expect(await ctx.db.$count(outbox)).toBe(before);
});

test("a mail that can still be undone is held back", async () => {
  const ctx = testContext();
  const { id } = await queueMail(ctx, { notBefore: ctx.now() + minutes(2) });
  expect((await mailRow(ctx, id)).next_at).toBe(ctx.now() + minutes(2));
});
