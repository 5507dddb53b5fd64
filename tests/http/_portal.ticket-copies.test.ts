import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { organizations } from "~/db/schema/organizations";
import type { ValidationError } from "~/lib/form";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as openTicket } from "~/routes/_portal.client.tickets.$ticket";
import { action, loader } from "~/routes/_portal.client.tickets.copies.$ticket";
import { clientTeam } from "../support/client-team";
import { args, get, post, thrownBy } from "../support/requests";
import { makeTicket } from "../support/tickets";

test("a client adds and removes an address by forms, who reads the ticket sees it, and colleagues are denied it", async () => {
  const team = await clientTeam();
  const ticket = await makeTicket(team.ctx, { organizationId: team.organization.id, createdBy: team.owner });
  const params = { ticket: `T-${ticket.number}` };
  const path = `/client/tickets/copies/${params.ticket}`;
  const ticketPage = async (person = team.owner) =>
    (await openTicket(args(await team.requestOf(person), get(`/client/tickets/${params.ticket}`), params))).json();
  const open = async (person = team.owner) => loader(args(await team.requestOf(person), get(path), params));
  const send = async (fields: Record<string, string>) => {
    const ctx = await team.requestOf(team.owner);
    const form = { form_token: issueFormToken(ctx, "ticket-copies"), organization_id: team.organization.id, ...fields };
    return action(args(ctx, post(path, form), params));
  };
  expect([(await ticketPage()).ccPath, (await (await open()).json()).closed]).toEqual([
    null,
    "Your organization has not allowed copies. Its owner and admins can allow them.",
  ]);
  const setOrganization = (set: { allows_copies?: boolean; needs_review_at?: number | null }) =>
    team.ctx.db.update(organizations).set(set).where(eq(organizations.id, team.organization.id));
  await setOrganization({ allows_copies: true, needs_review_at: team.ctx.now() });
  const isNew = /new here: you can add addresses as soon as we have reviewed it/;
  expect([(await ticketPage()).ccPath, (await (await open()).json()).closed]).toEqual([
    path,
    expect.stringMatching(isNew),
  ]);
  const early = await send({ intent: "add_copy", email: "facilities@landlord.example" });
  expect([early.status, ((await early.json()) as ValidationError).errors.email]).toEqual([
    400,
    expect.stringMatching(isNew),
  ]);
  await setOrganization({ needs_review_at: null });

  const rejected = await send({ intent: "add_copy", email: "nobody" });
  expect([rejected.status, ((await rejected.json()) as ValidationError).values.email]).toEqual([400, "nobody"]);
  const added = await send({ intent: "add_copy", email: "facilities@landlord.example" });
  expect([added.status, added.headers.get("Location")]).toEqual([303, path]);
  const colleagues = await ticketPage(team.member);
  expect(colleagues.people.map(({ name }) => name)).toContain("facilities@landlord.example");
  expect([colleagues.readers, colleagues.ccPath]).toEqual([expect.stringMatching(/Copies go to 1 address\.$/), null]);
  expect((await thrownBy(open(team.member))).status).toBe(404);

  const [copy] = (await (await open()).json()).copies;
  expect((await send({ intent: "remove_copy", copy: copy?.id ?? "" })).status).toBe(303);
  expect((await (await open()).json()).copies).toEqual([]);
});
