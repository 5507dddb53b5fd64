import { Buffer } from "node:buffer";
import { generateKeyPairSync } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { inboundMail } from "~/db/schema/inbound-mail";
import { contacts, organizationDomains } from "~/db/schema/organizations";
import { legalHolds } from "~/db/schema/privacy";
import { type ParsedMail, parseMail } from "~/features/inbound-mail/parse-mail.server";
import { purgeMail } from "~/features/inbound-mail/purge-mail.server";
import { tryMail } from "~/features/inbound-mail/try-mail.server";
import { txtRecords, verifyDkim } from "~/features/inbound-mail/verify-dkim.server";
import { days, minutes } from "~/lib/time";
import { testContext } from "../../support/context";
import { mailIn, mailRows, rawMail, replyAddress } from "../../support/inbound-mail";
import { signMail } from "../../support/sign-mail";
import { SIGNED_EXAMPLES } from "../../support/signed-examples";
import { makeTicket, ticketWorld } from "../../support/tickets";

describe("reading a mail", () => {
  const ctx = testContext();

  const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

  async function read(text: string): Promise<ParsedMail> {
    const body = bytesOf(text);
    const result = await parseMail({ body: new Blob([body]).stream(), size: body.length });
    if (!result.ok) throw new Error(result.code);
    return result.value;
  }

  /** Stands for the resolver: answers each name once, because answers are remembered. */
  function resolver(answer: () => Response | Promise<Response>) {
    return vi.spyOn(globalThis, "fetch").mockImplementation(async () => answer());
  }

  afterEach(() => vi.restoreAllMocks());

  test.each([
    ["koi8-r", "7sUg0MXewdTBxdQu", "Не печатает."],
    ["iso-2022-jp", "GyRCRjAkLSReJDskcyEjGyhC", "動きません。"],
    ["windows-1252", "R3L832UgliBEYW5h", "Grüße – Dana"],
    ["utf-8", "R3LDvMOfZQ==", "Grüße"],
  ])("the worker's runtime reads mails in %s", async (charset, content, text) => {
    const head = `From: dana@brightsmile.example\r\nContent-Type: text/plain; charset=${charset}\r\n`;
    const mail = await read(`${head}Content-Transfer-Encoding: base64\r\n\r\n${content}\r\n`);
    expect(mail.text).toBe(text);
  });

  test.each(
    SIGNED_EXAMPLES,
  )("it verifies what was signed with $algorithm, by keys that it asks a resolver for", async (example) => {
    const data = `"${example.record.slice(0, 100)}" "${example.record.slice(100)}"`;
    const asked = resolver(() =>
      Response.json({
        Status: 0,
        Answer: [
          { type: 5, data: "elsewhere." },
          { type: 16, data },
        ],
      }),
    );
    const mail = await read(example.mail);
    const signed = {
      raw: bytesOf(example.mail),
      from: mail.from?.address ?? "",
      hasSeveralSenders: mail.hasSeveralSenders,
    };
    expect(await verifyDkim(signed, txtRecords(ctx), ctx.now())).toEqual({
      result: "aligned",
      domain: "football.example.com",
    });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test("a resolver that fails is no answer, and one that knows no such name is", async () => {
    resolver(() => Response.json({ Status: 3 }));
    expect(await txtRecords(ctx)("gone._domainkey.acme.example")).toEqual([]);
    resolver(() => Response.json({ Status: 2 }));
    await expect(txtRecords(ctx)("broken._domainkey.acme.example")).rejects.toThrow("SERVFAIL");
    resolver(() => Promise.reject(new Error("down")));
    await expect(txtRecords(ctx)("down._domainkey.acme.example")).rejects.toThrow("no answer");
  });

  test("a mail of 9 MiB is read inside the worker's memory", async () => {
    const head =
      "From: dana@brightsmile.example\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n";
    const mail = await read(`${head}\r\n${`${"A".repeat(76)}\r\n`.repeat(120_000)}`);
    expect(mail.files.map(({ bytes }) => bytes.length)).toEqual([6_840_000]);
  });
});

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
    [{ from: dana.email }, { state: "processed" }, "open a ticket of Dana Ortiz at Larkspur Row"],
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
  expect([facts.checked, dkim.result]).toEqual(["acme.example", "aligned"]);
  const away = async () => {
    throw new Error("away");
  };
  expect(await tried(ctx, signed, away)).toMatchObject({ facts: { checked: null }, dkim: { result: "temperror" } });
  const forged = signed.replace("blinks", "burns");
  expect(await tried(ctx, forged, async () => [record])).toMatchObject({
    facts: { checked: null },
    dkim: { result: "fail" },
  });
});

test("what is quoted is said to be left out, and what is no mail is no mail", async () => {
  const { ctx, dana } = await world();
  const text = "Yes.\n\nOn Mon, Nov 16, 2026 at 9:00 AM Sam wrote:\n> Does it blink?\n> Sam";
  const { facts, content } = await tried(ctx, rawMail({ from: dana.email, text }));
  expect([facts.isTrimmed, content.text]).toEqual([true, "Yes."]);
  expect(content.whole).toContain("Does it blink?");
  expect(await tryMail(ctx, "\n\n", nobody)).toEqual({ ok: false, code: "empty" });
});

describe("mail that has grown old", () => {
  let world: Awaited<ReturnType<typeof ticketWorld>>;

  beforeEach(async () => {
    world = await ticketWorld();
    await world.base.db.batch([world.base.db.delete(inboundMail), world.base.db.delete(legalHolds)]);
  });

  type Old = Partial<typeof inboundMail.$inferInsert> & { age?: number };

  async function old({ age = 91, ...columns }: Old): Promise<string> {
    const { base } = world;
    const id = base.newId("inm");
    const at = base.now() - days(age);
    const sizes = { size: 1, object_key: `mail/${id}`, state: "held" as const, next_at: at, received_at: at };
    await base.db.insert(inboundMail).values({ id, envelope_from: "", envelope_to: "", ...sizes, ...columns });
    return id;
  }

  const hold = (subject_type: "ticket" | "organization" | "user", subject_id: string) =>
    world.base.db.insert(legalHolds).values({
      ...{ id: world.base.newId("hold"), subject_type, subject_id, reason: "Court", placed_by: world.avery.id },
      ...{ placed_by_name: "Avery Quinn", placed_at: 0 },
    });

  const swept = async () => {
    await purgeMail(world.base);
    return (await mailRows(world.base)).map(({ id }) => id);
  };

  test("mail goes ninety days after it arrived, decided or not, but none that still waits to be read", async () => {
    for (const state of ["held", "failed", "processed", "automatic", "bounced", "dropped"] as const)
      await old({ state });
    const kept = [await old({ age: 89 }), await old({ state: "received" })];
    expect(await swept()).toEqual(kept);
  });

  test("what is on legal hold stays: mail of a ticket, of an organization's people, and of a person", async () => {
    const { base, here, there, dana, ivy, omar } = world;
    const ticket = await makeTicket(base, { organizationId: here.id, createdBy: dana });
    await base.db.insert(contacts).values({
      ...{ id: base.newId("con"), organization_id: there.id, email: `lee-${there.id}@elsewhere.example` },
      ...{ full_name: "Lee Moss", created_at: 0 },
    });
    await hold("ticket", ticket.id);
    await hold("organization", there.id);
    await hold("user", omar.id);
    await old({ from_address: "nobody@elsewhere.example" });
    await old({ from_address: dana.email });
    const kept = [
      await old({ ticket_id: ticket.id }),
      await old({ from_address: ivy.email }),
      await old({ from_address: `lee-${there.id}@elsewhere.example` }),
      await old({ from_address: omar.email }),
    ];
    expect(await swept()).toEqual(kept);
    await base.db.update(legalHolds).set({ lifted_at: base.now() });
    expect(await swept()).toEqual([]);
  });

  test("the stored mail goes with its row, and not before it", async () => {
    const { base } = world;
    const mail = await mailIn(base, { from: "lee@elsewhere.example" });
    expect(await base.files.get(mail.object_key)).not.toBeNull();
    base.clock.advance(days(91) + minutes(1));
    expect(await swept()).toEqual([]);
  });
});
