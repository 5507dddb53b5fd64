import { eq } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { mailChecks, mailPauses, outbox } from "~/db/schema/outbox";
import { settings } from "~/db/schema/site";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { recordDeliveryEvents } from "~/features/mail/delivery-events.server";
import { getSettings } from "~/features/settings/queries.server";
import { minutes, seconds } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { mailerFor } from "~/platform/mailer.server";
import * as route from "~/routes/_admin.admin.settings";
import { staffMember } from "../support/admin-area";
import { bindings, derive, type TestContext } from "../support/context";
import { handOver, mailRows, rawMail } from "../support/inbound-mail";
import { deliveryEvent } from "../support/mail-provider";
import { pageAt } from "../support/page";

const PATH = "/admin/settings?tab=general&part=mail-setup";
const DOMAIN = "in.wrenfield.example";

let ctx: TestContext;
let email: string;

beforeEach(async () => {
  const staff = await staffMember();
  email = staff.person.email;
  const config = { ...staff.ctx.config, MAIL_INBOUND_DOMAIN: DOMAIN };
  ctx = derive(staff.ctx, { config });
  ctx.mailer = {
    ...ctx.mailer,
    provider: "http",
    send: async (mail) => {
      const outcome = ctx.outcomes.shift() ?? { kind: "sent" as const, messageId: `p-${mail.id}` };
      if (outcome.kind === "sent") ctx.sent.push(mail);
      return outcome;
    },
  };
  await ctx.db.batch([mailChecks, mailPauses, outbox, settings].map((table) => ctx.db.delete(table)) as never);
});

const page = pageAt("/admin/settings", route);
const read = async (path = PATH) => {
  const { mailSetup } = await page.read(ctx, path);
  if (!mailSetup) throw new Error("There is no set-up of mail");
  return mailSetup;
};

const send = async (intent: string, fields: Record<string, string> = {}) => {
  const answer = await page.send(ctx, PATH, "mail-setup", { intent, ...fields });
  await ctx.settle();
  return answer;
};

/** Hands the last test mail over as the platform does when it arrives, at another address if one is given. */
async function arrives(to = ctx.sent.at(-1)?.to ?? "") {
  const mail = ctx.sent.at(-1);
  if (!mail) throw new Error("No mail was sent");
  const raw = rawMail({ from: mail.from, to: mail.to, subject: mail.subject, text: mail.text });
  expect(await handOver(ctx, raw, { from: "hello@wrenfield.example", to })).toBeNull();
  await ctx.settle();
}

const proven = async () => (await getSettings(ctx.db)).provenInboundDomain;
const tokenOf = (subject: string | undefined) => subject?.replace("Mail test ", "") ?? "";

test("a test mail that comes back proves the way in: seconds, the setting and its audit; it is no inbound mail", async () => {
  const before = await mailRows(ctx);
  expect((await read()).back).toMatchObject({ state: "new", hint: expect.stringContaining("no mail says") });
  expect((await send("test_in")).status).toBe(303);
  expect(ctx.sent.at(-1)?.to).toMatch(/^support\+test\.[a-z2-7]{16}@in\.wrenfield\.example$/);
  expect((await read()).back).toMatchObject({ state: "waiting", words: "On its way" });
  ctx.clock.advance(seconds(3));
  await Promise.all([arrives(), arrives()]);
  const { back, isProven, rows } = await read();
  expect(back).toMatchObject({ state: "proven", words: "Arrived in 3 seconds" });
  expect(isProven).toBe(true);
  expect(rows.find(({ name }) => name === "Subaddressing")).toMatchObject({ found: "On", state: "right" });
  expect(await proven()).toBe(DOMAIN);
  expect(await mailRows(ctx)).toEqual(before);
  const audited = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, "provenInboundDomain"));
  expect(audited.filter(({ actor_email }) => actor_email === email)).toHaveLength(1);
});

test("a test mail that loses its +detail on the way says which switch is off, and proves nothing", async () => {
  await send("test_in");
  await arrives(`support@${DOMAIN}`);
  const { back, rows } = await read();
  expect(back).toMatchObject({ state: "failed", words: "Arrived without +detail" });
  expect(rows.find(({ name }) => name === "Subaddressing")).toMatchObject({ found: "Off", state: "wrong" });
  expect(await proven()).toBeNull();
});

test("a guessed token proves nothing, and is mail like any other", async () => {
  await send("test_in");
  const raw = rawMail({ from: "eve@elsewhere.example", subject: "Mail test aaaaaaaaaaaaaaaa" });
  await handOver(ctx, raw, { from: "eve@elsewhere.example", to: `support+test.aaaaaaaaaaaaaaaa@${DOMAIN}` });
  await ctx.settle();
  expect(await proven()).toBeNull();
  expect((await mailRows(ctx)).at(-1)?.from_address).toBe("eve@elsewhere.example");
});

test("after ten minutes a test mail counts as lost, until it arrives after all", async () => {
  await send("test_in");
  ctx.clock.advance(minutes(12));
  expect((await read()).back).toMatchObject({
    state: "failed",
    words: "Not arrived after 12 minutes",
    hint: expect.stringContaining("Look below at MX"),
  });
  await arrives();
  expect((await read()).back.state).toBe("proven");
});

test("for another domain than the proven one no answer is asked for, and the page begins anew", async () => {
  await send("test_in");
  await arrives();
  ctx = derive(ctx, { config: { ...ctx.config, MAIL_INBOUND_DOMAIN: "other.example" } });
  expect(await read()).toMatchObject({ isProven: false, back: { state: "new" } });
  ctx = derive(ctx, { config: { ...ctx.config, MAIL_INBOUND_DOMAIN: undefined } });
  expect((await read()).back).toMatchObject({ state: "off", words: "Not set up" });
  expect((await send("test_in")).status).toBe(400);
});

test("the way out is proven by the provider's event, once the mail was taken", async () => {
  await send("test_out", { to: email });
  expect(ctx.sent.at(-1)?.to).toBe(email);
  expect((await read()).out.steps.map(({ text }) => text)).toEqual([
    `Sent to ${email}`,
    expect.stringMatching(/^Taken by the provider, p-mail/),
  ]);
  ctx.clock.advance(seconds(4));
  const messageId = `p-${ctx.sent.at(-1)?.id}`;
  await recordDeliveryEvents(ctx, [deliveryEvent({ kind: "delivered", messageId, at: ctx.now() })]);
  expect((await read()).out).toMatchObject({ state: "proven", words: "Arrived in 4 seconds" });
});

test("without events the code of the mail proves it; a wrong one is refused and stays in its field", async () => {
  await send("test_out", { to: email });
  const refused = await send("confirm_out", { code: "wrong" });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ errors: { code: expect.any(String) }, values: { code: "wrong" } });
  expect((await read()).out.state).toBe("waiting");
  const code = tokenOf(ctx.sent.at(-1)?.subject);
  expect(ctx.sent.at(-1)?.text).toContain(`${PATH}&code=${code}`);
  expect((await read(`${PATH}&code=${code}`)).code).toBe(code);
  ctx.clock.advance(seconds(20));
  expect((await send("confirm_out", { code: ` ${code.toUpperCase()} ` })).status).toBe(303);
  expect((await read()).out).toMatchObject({ state: "proven", words: "Arrived, confirmed after 20 seconds" });
});

test("a test mail that cannot be sent says why", async () => {
  ctx.outcomes = [{ kind: "permanent", reason: "E_RECIPIENT_NOT_ALLOWED" }];
  await send("test_out", { to: email });
  const { out } = await read();
  expect(out).toMatchObject({ state: "failed", words: "Could not be sent" });
  expect(out.steps.at(-1)?.text).toBe("The mail service may not send to this address");
});

test("one that was taken and did not arrive, or was not even taken, says where to look", async () => {
  await send("test_out", { to: email });
  ctx.clock.advance(minutes(12));
  expect((await read()).out).toMatchObject({ state: "failed", hint: expect.stringContaining("spam folder") });
  ctx.outcomes = [{ kind: "configuration", reason: "E_SENDER_NOT_VERIFIED" }];
  await send("test_out", { to: email });
  ctx.clock.advance(minutes(12));
  expect((await read()).out).toMatchObject({ state: "failed", hint: expect.stringContaining("Mail queue") });
});

test("one that waits for the quota of the provider says until when, and is not lost", async () => {
  ctx.outcomes = [{ kind: "quota", reason: "E_DAILY_LIMIT_EXCEEDED" }];
  await send("test_out", { to: email });
  ctx.clock.advance(minutes(12));
  const { out } = await read();
  expect(out).toMatchObject({ state: "waiting", words: "Waits", hint: null });
  expect(out.steps.at(-1)?.text).toMatch(/^Delayed: the mail provider’s daily quota is used up, since /);
});

test("the address of somebody else gets no test mail, a double click one, and a flood ends", async () => {
  const form_token = issueFormToken(ctx, "mail-setup");
  await send("test_out", { to: "victim@elsewhere.example", form_token });
  await send("test_out", { to: "victim@elsewhere.example", form_token });
  expect(ctx.sent.map(({ to }) => to)).toEqual([email]);
  for (let count = 0; count < 10; count += 1) await send("test_out", { to: email });
  expect((await send("test_out", { to: email })).status).toBe(400);
  await deliverOutbox(ctx);
  expect(ctx.sent.length).toBeLessThanOrEqual(10);
});

test("asking for no more answers takes the setting back, with its audit", async () => {
  await send("test_in");
  await arrives();
  await send("forget_in");
  expect(await proven()).toBeNull();
  expect((await read()).back.state).toBe("new");
});

test("where mail stays on this machine, the test mail comes in by itself", async () => {
  ctx.mailer = mailerFor(bindings, ctx.config, ctx.db, ctx.now);
  await send("test_in");
  expect((await read()).back.state).toBe("proven");
});

test("a record that was wrong is looked up again after a minute, and the page says how old the oldest answer is", async () => {
  const config = { ...ctx.config, MAIL_PROVIDER: "http" as const, MAIL_FROM: "Acme <hello@mended.example>" };
  ctx = derive(ctx, { config });
  const answers: Record<string, string> = {
    "resend._domainkey.mended.example": "p=MIGfMA0",
    "_dmarc.mended.example": "rua=nobody",
    [DOMAIN]: "10 route1.mx.cloudflare.net.",
  };
  const asked = vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    const { searchParams } = new URL(String(input));
    const data = answers[searchParams.get("name") ?? ""];
    const type = searchParams.get("type") === "MX" ? 15 : 16;
    return Response.json({ Status: 0, Answer: data ? [{ type, data }] : [] });
  });
  const startedAt = ctx.now();
  const states = async () => {
    const { rows, checkedAt } = await read();
    return [rows.slice(0, 4).map(({ state }) => state), checkedAt];
  };
  expect(await states()).toEqual([["wrong", "right", "wrong", "right"], startedAt]);
  answers["mended.example"] = "v=spf1 -all";
  answers["_dmarc.mended.example"] = "v=DMARC1; p=none";
  ctx.clock.advance(minutes(1));
  asked.mockClear();
  expect(await states()).toEqual([["right", "right", "right", "right"], startedAt]);
  expect(asked).toHaveBeenCalledTimes(2);
  // A record may be there and lead to the host that was there before.
  ctx = derive(ctx, { config: { ...ctx.config, MAIL_PROVIDER: "cloudflare" } });
  answers["cf-bounce.mended.example"] = "v=spf1 include:_spf.old-host.example ~all";
  answers[DOMAIN] = "10 mx.old-host.example.";
  ctx.clock.advance(minutes(6));
  const { rows } = await read();
  expect([rows[0], rows[3]]).toMatchObject([
    {
      of: "TXT cf-bounce.mended.example",
      wanted: "v=spf1 include:_spf.mx.cloudflare.net ~all",
      literal: { wanted: true, found: true },
      state: "wrong",
      note: expect.stringContaining("_spf.mx.cloudflare.net"),
    },
    { state: "wrong", note: expect.stringContaining("Mail goes elsewhere") },
  ]);
  asked.mockRestore();
});
