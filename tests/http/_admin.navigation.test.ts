import { expect, test } from "vitest";
import { loader as layout } from "~/routes/_admin";
import { makeSubmission } from "../support/factories";
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
