import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { letters } from "~/db/schema/letters";
import { gatherLetterMetrics } from "~/features/letters/draft-letters.server";
import { action } from "~/routes/_admin.admin.letters.$letterId";
import { tellingWorld } from "../support/counted-tickets";
import { as } from "../support/factories";
import { agedToken, args, post } from "../support/requests";

test("a letter is said to be saved or released only if that form did it, not one before with the same token", async () => {
  const { base, here, sam } = await tellingWorld();
  const staff = as(base, sam);
  const id = staff.newId("ltr");
  const organization = { ...here, number: 1, name: "Larkspur Row", plan: "core" as const };
  const facts = await gatherLetterMetrics(
    base.db,
    { ...organization, contractStartedAt: null, people: 1, withoutSecondFactor: 0 },
    { month: "2026-10", zone: "America/Chicago" },
  );
  await base.db.insert(letters).values({
    ...{ id, organization_id: here.id, month: "2026-10", status: "draft" },
    ...{ facts_json: JSON.stringify(facts), words_json: "{}", created_at: base.now(), updated_at: base.now() },
  });
  const form_token = agedToken(staff, "letter");
  const send = async (intent: string, sentence_1: string, version = "1") => {
    const request = post(`/admin/letters/${id}`, { form_token, intent, sentence_1, version });
    return (await action(args(staff, request, { letterId: id }))).status;
  };
  expect([await send("save", "One."), await send("save", "One.")]).toEqual([303, 303]);
  expect([await send("save", "Two."), await send("release", "One.")]).toEqual([409, 409]);
  const colleague = { words_json: JSON.stringify({ sentences: ["Theirs."], reasons: [] }), version: 3 };
  await base.db.update(letters).set(colleague).where(eq(letters.id, id));
  expect(await send("save", "One.")).toBe(409);
  expect([await send("release", "One.", "3"), await send("release", "One.", "3")]).toEqual([303, 303]);
  expect(await send("save", "Two.", "4")).toBe(409);
  const [row] = await base.db.select().from(letters).where(eq(letters.id, id));
  expect(row).toMatchObject({ status: "released", version: 4, words_json: expect.stringContaining("One.") });
});
