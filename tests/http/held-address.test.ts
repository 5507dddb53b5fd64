import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { mailAddressHolds } from "~/db/schema/outbox";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { recipientHash } from "~/features/mail/enqueue-mail.server";
import { days } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as adminLayout } from "~/routes/_admin";
import { action, loader } from "~/routes/_admin.admin.users.$userId";
import { staffMember } from "../support/admin-area";
import type { TestContext } from "../support/context";
import { as, makePerson } from "../support/factories";
import { mailRow, queueMail } from "../support/outbox";
import { args, get, post, thrownBy } from "../support/requests";

const hold = (ctx: TestContext, email: string) =>
  ctx.db.insert(mailAddressHolds).values({
    ...{ to_hash: recipientHash(ctx, email), reason: "returned", since: ctx.now(), until: ctx.now() + days(7) },
  });

test("people whose address bounces are told so on every page, and others are not", async () => {
  const { ctx, person } = await staffMember();
  const { ctx: other } = await staffMember();
  await hold(ctx, person.email);
  const read = async (reader: TestContext) => (await (await adminLayout(args(reader, get("/admin")))).json()).held;
  expect(await read(ctx)).toMatchObject({ email: person.email, until: ctx.now() + days(7) });
  expect(await read(other)).toBeNull();
});

test("an administrator sees it at the person, and lets mail go again: what waited leaves once", async () => {
  const { ctx } = await staffMember();
  const client = await makePerson(ctx, {});
  const path = `/admin/users/${client.id}`;
  const params = { userId: client.id };
  await hold(ctx, client.email);
  const waiting = await queueMail(ctx, { to: client.email });
  await deliverOutbox(ctx);
  expect(await mailRow(ctx, waiting.id)).toMatchObject({ status: "pending", last_error: "address_held" });
  const held = async () => (await (await loader(args(ctx, get(path), params))).json()).held;
  expect(await held()).toMatchObject({ reason: "returned" });
  const form_token = issueFormToken(ctx, "user");
  const release = () => action(args(ctx, post(path, { intent: "release_mail", form_token }), params));
  await Promise.all([release(), release()]);
  await ctx.settle();
  expect(await held()).toBeNull();
  expect(ctx.sent.filter(({ to }) => to === client.email)).toHaveLength(1);
  const audited = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, client.id));
  expect(audited.filter((event) => event.action === "user.mail_released")).toHaveLength(1);
});

test("a technician and a client cannot let it go", async () => {
  const { ctx } = await staffMember();
  const client = await makePerson(ctx, {});
  await hold(ctx, client.email);
  const params = { userId: client.id };
  for (const reader of [(await staffMember("moderator")).ctx, as(ctx, client)]) {
    const form_token = issueFormToken(reader, "user");
    const posted = post(`/admin/users/${client.id}`, { intent: "release_mail", form_token });
    expect((await thrownBy(action(args(reader, posted, params)))).status).not.toBe(303);
  }
  expect(await ctx.db.select().from(mailAddressHolds)).not.toEqual([]);
});
