import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { organizations } from "~/db/schema/organizations";
import { sessions } from "~/db/schema/sessions";
import { tickets } from "~/db/schema/tickets";
import { NEW_TICKET_PURPOSE } from "~/features/portal/new-ticket.server";
import { issueFormToken } from "~/platform/form-token.server";
import { loader } from "~/routes/_portal.client.tickets.new";
import { loader as oldAddress } from "~/routes/_portal.create-ticket";
import { flash } from "../support/admin-area";
import { type ClientTeam, clientTeam } from "../support/client-team";
import { NEW_TICKET, openClientTicket, sendNewTicket } from "../support/client-tickets";
import { bindings } from "../support/context";
import { pdf } from "../support/documents";
import { makeMember, makePerson } from "../support/factories";
import { args, get, thrownBy } from "../support/requests";

let team: ClientTeam;
beforeEach(async () => {
  team = await clientTeam();
});

const PATH = "/client/tickets/new";
const open = async (changes?: Record<string, string>, files?: File[]) =>
  sendNewTicket(await team.requestOf(team.member), changes, files);
const stored = () => team.ctx.db.select().from(tickets).where(eq(tickets.organization_id, team.organization.id));

test("a ticket is opened with its files, and leads to its own page", async () => {
  const response = await open({ category: "Technical Support", private: "on" }, [new File([pdf()], "box.pdf")]);
  const path = response.headers.get("Location") ?? "";
  expect(path).toMatch(/^\/client\/tickets\/T-\d+$/);
  expect(flash(team.ctx)).toBe("Success: Ticket created successfully");
  const page = await openClientTicket(await team.requestOf(team.member), path.split("/").at(-1) ?? "");
  expect(page).toMatchObject({
    title: "Fax is dead",
    category: "Technical Support",
    isPrivate: true,
    priority: "medium",
  });
  expect(page.thread).toMatchObject([{ text: "No dial tone.", from: "you", files: [{ name: "box.pdf" }] }]);
});

test.each([
  [
    { title: " ", description: "" },
    { title: "Subject is required", description: "Description is required" },
  ],
  [
    { title: "", priority: "urgent", impact: " " },
    { title: "Subject is required", impact: "Tell us what has stopped working, and for how many people." },
  ],
  [{ priority: "urgent" }, { impact: "Tell us what has stopped working, and for how many people." }],
  [{ category: "Gossip" }, { category: "Choose a category from the list" }],
  [{ priority: "now" }, { priority: "Choose one of the four priorities" }],
  [{ description: "x".repeat(20_001) }, { description: "Description can have at most 20,000 characters" }],
] as [
  Record<string, string>,
  Record<string, string>,
][])("%j is rejected with what was typed", async (changes, errors) => {
  const before = (await bindings.FILES.list()).objects.length;
  const response = await open(changes, [new File([pdf()], "box.pdf")]);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors, values: { ...NEW_TICKET, ...changes } });
  await team.ctx.settle();
  expect([await stored(), (await bindings.FILES.list()).objects.length]).toEqual([[], before]);
});

test("a ticket that seems to hold a password is asked about, and opened when it is sent anyway", async () => {
  const description = "The password for the scanner is Blue-42";
  const asked = await open({ description }, [new File([pdf()], "box.pdf")]);
  expect([asked.status, await asked.json()]).toMatchObject([
    400,
    {
      errors: { description: expect.stringMatching(/^This seems to contain a password\..* send it anyway\.$/) },
      values: { description, secret: "password" },
    },
  ]);
  const urgent = await open({ priority: "urgent", impact: description });
  expect(await urgent.json()).toMatchObject({
    errors: { impact: expect.stringMatching(/^This seems to contain a password\./) },
  });
  expect(await stored()).toEqual([]);
  expect((await open({ description, secret: "password" })).status).toBe(303);
  expect(await stored()).toHaveLength(1);
});

test("an urgent ticket keeps what has stopped working; of another nobody has asked", async () => {
  await open({ priority: "urgent", impact: "Phones, for all of us" });
  await open({ priority: "low", impact: "left over from another choice" });
  expect((await stored()).map(({ priority, impact }) => [priority, impact])).toEqual([
    ["urgent", "Phones, for all of us"],
    ["low", null],
  ]);
});

test("the same form posted twice opens one ticket, and what was changed after the answer was lost one of its own", async () => {
  const ctx = await team.requestOf(team.member);
  const form_token = issueFormToken(ctx, NEW_TICKET_PURPOSE);
  const send = async (description: string) =>
    (await sendNewTicket(ctx, { form_token, description })).headers.get("Location");
  const [first, again] = await Promise.all([send("No dial tone."), send("No dial tone.")]);
  expect(again).toBe(first);
  await send("No dial tone, and it smells of smoke.");
  expect((await stored()).map(({ description }) => description).toSorted()).toEqual([
    "No dial tone, and it smells of smoke.",
    "No dial tone.",
  ]);
});

test("a forged organization is as missing as one that does not exist, and nothing is opened", async () => {
  for (const organization_id of [team.other.id, "org_missing", ""]) {
    expect(await thrownBy(open({ organization_id }))).toMatchObject({ status: 404, body: null });
  }
  expect(await team.ctx.db.select().from(tickets).where(eq(tickets.organization_id, team.other.id))).toEqual([]);
});

test("whoever chooses another of their organizations opens it there, and works there from then on", async () => {
  await makeMember(team.ctx, team.other.id, team.member, "member");
  const ctx = await team.requestOf(team.member);
  const response = await sendNewTicket(ctx, { organization_id: team.other.id });
  expect(response.headers.get("X-Remix-Reload-Document")).toBe("true");
  const [ticket] = await team.ctx.db.select().from(tickets).where(eq(tickets.organization_id, team.other.id));
  expect(response.headers.get("Location")).toBe(`/client/tickets/T-${ticket?.number}`);
  const [session] = await team.ctx.db
    .select()
    .from(sessions)
    .where(eq(sessions.id_hash, ctx.signedIn?.sessionHash ?? ""));
  expect(session?.current_org_id).toBe(team.other.id);
});

test("the promise before sending is that of the reader's plan, at both addresses", async () => {
  for (const [plan, urgent] of [
    ["basic", "2 open hours"],
    ["core", "2 open hours; when closed, 4 hours"],
    ["premium", "2 hours"],
  ] as const) {
    await team.ctx.db.update(organizations).set({ plan }).where(eq(organizations.id, team.organization.id));
    const ctx = await team.requestOf(team.member);
    for (const page of [loader, oldAddress]) {
      const shown = await (await page(args(ctx, get(PATH)))).json();
      if (shown.nextSteps) throw new Error("They work in an organization");
      expect(shown.previews.map(({ priority }) => priority)).toEqual(["urgent", "high", "medium", "low"]);
      expect(shown.previews[0]).toMatchObject({ within: urgent, words: "Send now and you'll hear by today 11:00" });
    }
  }
});

test("a person without an organization reads the ways to one, and a post says that none is selected", async () => {
  const ctx = await team.requestOf(await makePerson(team.ctx, {}));
  const shown = await (await loader(args(ctx, get(PATH)))).json();
  expect(shown.nextSteps).toMatchObject({ mayCreate: true });
  const response = await thrownBy(sendNewTicket(ctx));
  expect([response.status, await response.json()]).toEqual([
    403,
    {
      title: "No organization selected",
      text: "This page belongs to an organization. Create or join one first.",
      links: [
        { label: "Create an organization", to: "/client#create" },
        { label: "Join an organization", to: "/client" },
      ],
    },
  ]);
});
