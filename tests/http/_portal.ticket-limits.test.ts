import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { ticketMessages } from "~/db/schema/tickets";
import { REPLY_PURPOSE } from "~/features/tickets/client-record/reply-actions.server";
import { issueFormToken } from "~/platform/form-token.server";
import { action as ticketAction } from "~/routes/_portal.client.tickets.$ticket";
import { type ClientTeam, clientTeam } from "../support/client-team";
import type { TestContext } from "../support/context";
import { bindings } from "../support/context";
import { pdf } from "../support/documents";
import { args } from "../support/requests";
import { makeTicket } from "../support/tickets";

let team: ClientTeam;
let ticket: { id: string; number: number };
beforeEach(async () => {
  team = await clientTeam();
  ticket = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
});

function reply(ctx: TestContext, text: string, files: File[] = []) {
  const body = new FormData();
  body.append("form_token", issueFormToken(ctx, REPLY_PURPOSE));
  body.append("organization_id", team.organization.id);
  body.append("intent", "reply");
  body.append("body", text);
  for (const file of files) body.append("files", file);
  const ref = `T-${ticket.number}`;
  const request = new Request(`http://localhost:8787/client/tickets/${ref}`, { method: "POST", body });
  return ticketAction(args(ctx, request, { ticket: ref }));
}

const messages = () =>
  team.ctx.db.select().from(ticketMessages).where(eq(ticketMessages.ticket_id, ticket.id)).orderBy(sql`rowid`);

test("a reply to a ticket that changes all the time is sent back with its text, to be sent again soon", async () => {
  const ctx = await team.requestOf(team.member);
  const batch: typeof ctx.db.batch = async (statements) => {
    await team.ctx.db.run(sql`UPDATE support_tickets SET version = version + 1 WHERE id = ${ticket.id}`);
    return ctx.db.batch(statements);
  };
  const files = (await bindings.FILES.list()).objects.length;
  const response = await reply({ ...ctx, db: { ...ctx.db, batch } }, "Still broken.", [new File([pdf()], "a.pdf")]);
  expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "2"]);
  expect(await response.json()).toMatchObject({
    errors: { form: expect.stringContaining("Please send it again.") },
    values: { body: "Still broken." },
  });
  await ctx.settle();
  expect([await messages(), (await bindings.FILES.list()).objects.length]).toEqual([[], files]);
});
