import { generateKeyPairSync } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { organizationDomains } from "~/db/schema/organizations";
import { tryMail } from "~/features/inbound-mail/try-mail.server";
import { rawMail, replyAddress } from "../../support/inbound-mail";
import { signMail } from "../../support/sign-mail";
import { makeTicket, ticketWorld } from "../../support/tickets";

const nobody = async () => [];

async function world() {
  const { base: ctx, here, dana, avery } = await ticketWorld();
  const ticket = await makeTicket(ctx, { organizationId: here.id, createdBy: dana, status: "waiting_for_customer" });
  return { ctx, here, dana, avery, ticket };
}

async function tried(ctx: Parameters<typeof tryMail>[0], text: string, lookUp: Parameters<typeof tryMail>[2] = nobody) {
  const result = await tryMail(ctx, text, lookUp);
  if (!result.ok) throw new Error(result.code);
  return result.value;
}

/** Returns how many rows each table has. */
async function rowsOf(ctx: Parameters<typeof tryMail>[0]) {
  const names = await ctx.db.all<{ name: string }>(
    sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%_search%' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf%'`,
  );
  return Promise.all(
    names.map(async ({ name }) => [
      name,
      (await ctx.db.all<{ rows: number }>(sql`SELECT count(*) AS rows FROM ${sql.raw(`"${name}"`)}`))[0]?.rows,
    ]),
  );
}

test("a mail that is tried says where it would go, and leaves every table as it was", async () => {
  const { ctx, here, dana, avery, ticket } = await world();
  const domain = `tried-${ticket.number}.example`;
  await ctx.db.insert(organizationDomains).values({ domain, organization_id: here.id, created_at: 0 });
  const before = await rowsOf(ctx);
  const to = replyAddress(ctx, ticket, dana.id);
  const away = { "Auto-Submitted": "auto-replied" };
  const cases: [Parameters<typeof rawMail>[0], object, string][] = [
    [{ from: dana.email, to }, { state: "processed", tier: "address" }, `message of Dana Ortiz on T-${ticket.number}`],
    [{ from: dana.email }, { state: "processed", tier: null }, "open a ticket of Dana Ortiz at Larkspur Row"],
    [{ from: `lee@${domain}` }, { state: "processed" }, "open a ticket of a new contact at Larkspur Row"],
    [{ from: "lee@elsewhere.example", to }, { state: "held", reason: "token_of_another" }, "held"],
    [{ from: "lee@elsewhere.example" }, { state: "held", reason: "unknown_sender" }, "held"],
    [{ from: avery.email }, { state: "held", reason: "staff_unproven" }, "held"],
    [{ from: dana.email, to, headers: away }, { state: "automatic", class: "automatic_reply" }, "internal note"],
    [{ from: "nobody" }, { state: "held", reason: "no_sender" }, "held"],
    [{ from: dana.email, text: "" }, { state: "held", reason: "empty" }, "held"],
  ];
  for (const [mail, facts, words] of cases) {
    const { facts: found, would } = await tried(ctx, rawMail({ to: "support@wrenfield.example", ...mail }));
    expect([mail, found]).toMatchObject([mail, facts]);
    expect(would).toContain(words);
  }
  for (let count = 0; count < 45; count += 1) await tried(ctx, rawMail({ from: dana.email }));
  expect((await tried(ctx, rawMail({ from: dana.email }))).facts.state).toBe("processed");
  expect(await rowsOf(ctx)).toEqual(before);
});

test("its signature is verified with the keys that DNS has, and a key that nobody could say is said to be that", async () => {
  const { ctx } = await world();
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const record = `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;
  const signed = signMail(rawMail({ from: "lee@acme.example" }), { key: privateKey, domain: "acme.example" });
  const { facts, dkim } = await tried(ctx, signed, async () => [record]);
  expect([facts.checked, dkim.verdict]).toEqual(["acme.example", "aligned"]);
  const away = async () => {
    throw new Error("away");
  };
  expect(await tried(ctx, signed, away)).toMatchObject({ facts: { checked: null }, dkim: { verdict: "unreachable" } });
  const forged = signed.replace("blinks", "burns");
  expect(await tried(ctx, forged, async () => [record])).toMatchObject({
    facts: { checked: null },
    dkim: { verdict: "invalid" },
  });
});

test("what is quoted is said to be left out, and what is no mail is no mail", async () => {
  const { ctx, dana } = await world();
  const text = "Yes.\n\nOn Mon, Nov 16, 2026 at 9:00 AM Sam wrote:\n> Does it blink?\n> Sam";
  const { facts, content } = await tried(ctx, rawMail({ from: dana.email, text }));
  expect([facts.isTrimmed, content.text]).toEqual([true, "Yes."]);
  expect(content.whole).toContain("Does it blink?");
  expect(await tryMail(ctx, "\n\n", nobody)).toEqual({ ok: false, code: "unreadable" });
});
