import { expect, test } from "vitest";
import { inboundMail } from "~/db/schema/inbound-mail";
import { loader as layout } from "~/routes/_admin";
import { makeSubmission } from "../support/factories";
import { mailIn } from "../support/inbound-mail";
import { args, get } from "../support/requests";
import { makeTicket, ticketWorld } from "../support/tickets";

test("the navigation counts what waits: new submissions and those held for review, and open tickets", async () => {
  const { base, here, dana, avery, staff } = await ticketWorld();
  const { ctx } = staff(avery);
  const badges = async () => {
    const { items } = await (await layout(args(ctx, get("/admin"), {}))).json();
    const of = (name: string) => items.find(({ label }) => label === name)?.badge;
    return [of("Submissions"), of("Tickets")];
  };
  expect(await badges()).toEqual([undefined, undefined]);
  await makeSubmission(base);
  await makeSubmission(base, { status: "resolved" });
  await makeSubmission(base, { moderationReason: "honeypot" });
  for (const status of ["open", "open", "in_progress", "closed"] as const)
    await makeTicket(base, { organizationId: here.id, createdBy: dana, status });
  expect(await badges()).toEqual([
    { count: 1, of: "new, 1 held" },
    { count: 2, of: "open" },
  ]);
});

test("the navigation counts the mail that waits for a decision, held or failed, up to 50", async () => {
  const { base, avery, staff } = await ticketWorld();
  const { ctx } = staff(avery);
  const badge = async () => {
    const { items } = await (await layout(args(ctx, get("/admin"), {}))).json();
    return items.find(({ label }) => label === "Mail")?.badge;
  };
  await base.db.delete(inboundMail);
  expect(await badge()).toBeUndefined();
  const { id: _, ...held } = await mailIn(base, { from: "lee@stranger.example" });
  await mailIn(base, { from: "lee@stranger.example", headers: { "Auto-Submitted": "auto-replied" } });
  expect(await badge()).toEqual({ count: 1, isMore: false, of: "to decide" });
  for (let count = 0; count < 51; count += 1) {
    const row = { ...held, id: base.newId("inm"), object_key: `mail/${count}`, mail_key: null };
    await base.db.insert(inboundMail).values({ ...row, state: "failed" });
  }
  expect(await badge()).toEqual({ count: 50, isMore: true, of: "to decide" });
});
