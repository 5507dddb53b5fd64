import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { contacts, organizations } from "~/db/schema/organizations";
import { tickets } from "~/db/schema/tickets";
import { REASONS } from "~/features/import/labels";
import { organizationTexts } from "~/features/organizations/model";
import { testContext } from "../../support/context";
import { makeOrganization, makePerson } from "../../support/factories";
import { dryRun, movedTo, outcomesOf, uploaded } from "../../support/imports";

/*
 * Made by hand, with the columns that each product documents:
 * - ITFlow: the arrays `$fields` of its CSV exports in agent/post (github.com/itflow-org/itflow)
 * - osTicket: the standard fields of a queue's export in include/class.queue.php (github.com/osTicket/osTicket)
 * - Zammad: the CSV of a report's tickets, and the columns of its imports of users and organizations (docs.zammad.org)
 * - FreeScout: the fields of conversations and customers of its API (api-docs.freescout.net)
 * - Syncro: "Organization CSV File Columns Reference", and the same for contacts and tickets (docs.syncromsp.com)
 * - Halo: the templates of its spreadsheet importer (usehalo.com/guides)
 */
const FIXTURES = {
  itflow: {
    organizations:
      'Client Name,Industry,Referral,Website,"Location Name","Location Phone","Contact Name","Contact Email",Currency,Abbreviation\n"Fern IT",Dental,,https://www.fern-it.example,Main,555,Lea,lea@fern-it.example,USD,FI\n',
    people: "Name,Title,Department,Email,Phone,Ext,Mobile,Location\nLea Dent,,,lea@fern-it.example,555,,,Main\n",
    tickets:
      '"Ticket Number",Priority,Status,Subject,"Date Opened","Date Resolved","Date Closed"\nTCK-7,High,"In Progress",Printer,"2024-11-23 09:15:00",,\n',
    organization: true,
  },
  osticket: {
    tickets:
      '"Ticket Number","Date Created",Subject,From,"From Email",Priority,Department,"Help Topic",Source,"Current Status","Last Updated","SLA Due Date","Closed Date",Overdue,Answered,"Agent Assigned","Thread Count"\n100234,"11/23/2024 09:15:00 AM",Printer,"Lea Dent",lea@oak-os.example,Normal,Support,"General Inquiry",Email,Resolved,"11/24/2024 10:00:00 AM",,"11/24/2024 10:00:00 AM",No,Yes,,3\n',
    domain: "oak-os.example",
  },
  zammad: {
    organizations:
      "id,name,shared,domain,domain_assignment,active,note\n3,Elm Za,true,elm-za.example,true,true,Calls on Mondays\n",
    people:
      "id,login,firstname,lastname,email,phone,organization\n9,lea@elm-za.example,Lea,Dent,lea@elm-za.example,555,Elm Za\n",
    tickets:
      "#,Number,Title,State,Priority,Group,Owner,Customer,Organization,Created at,Closed at\n1,67042,Printer,pending close,2 normal,Users,-,lea@elm-za.example,Elm Za,2024-11-23T09:15:00Z,2024-11-24T10:00:00Z\n",
  },
  freescout: {
    people: "id,First Name,Last Name,Company,Emails\n4,Lea,Dent,Ash Free,lea@ash-free.example\n",
    tickets:
      "Number,Subject,Status,Customer Name,Customer Email,Customer Company,Assignee,Preview,Created At,Closed At\n88,Printer,active,Lea Dent,lea@ash-free.example,Ash Free,,It blinks,2024-11-23 09:15:00,\n",
    company: "Ash Free",
  },
  syncro: {
    organizations:
      "id,business_name,firstname,lastname,email,address,city,phone,notes\n55,Yew Sync,,,info@yew-sync.example,1 Main,X,555,\n",
    people: "customer_name,name,email,phone\nYew Sync,Lea Dent,lea@yew-sync.example,555\n",
    tickets:
      "Ticket #,Subject,Customer,Contact Email,Status,Priority,Issue Type,Tech,Created,Resolved\n004512,Printer,Yew Sync,lea@yew-sync.example,Waiting on Customer,2 Normal,Hardware,,11/23/2024 09:15,\n",
  },
  halo: {
    organizations: "Client Name,Notes\nBay Halo,\n",
    people: "Username,Email Address,Client,Site,Phone Number\nLea Dent,lea@bay-halo.example,Bay Halo,Main,555\n",
    tickets:
      "Ticket ID,Summary,Details,Client,Site,User,Email Address,Status,Priority,Agent,Date Occurred,Date Closed\n2001,Printer,It blinks,Bay Halo,Main,Lea Dent,lea@bay-halo.example,Closed,Medium,,23/11/2024 09:15,24/11/2024 10:00\n",
  },
} as const;

test("the exports of six products come in with their presets, and none asks a question", async () => {
  const ctx = testContext();
  await makePerson(ctx, { role: "admin" });
  for (const [preset, { organizations: companies, people, tickets: work, ...rest }] of Object.entries(FIXTURES) as [
    keyof typeof FIXTURES,
    Partial<Record<"organizations" | "people" | "tickets" | "domain" | "company", string>> & { organization?: true },
  ][]) {
    const made = rest.domain || rest.company ? await makeOrganization(ctx, rest.company ?? "Oak") : null;
    if (made)
      await ctx.db
        .update(organizations)
        .set(organizationTexts({ name: rest.company ?? "Oak", description: "" }))
        .where(eq(organizations.id, made.id));
    if (made && rest.domain)
      await ctx.db.run(sql`INSERT INTO organization_domains VALUES (${rest.domain}, ${made.id}, 1)`);
    let organizationId: string | null = null;
    for (const [kind, content] of [
      ["organizations", companies],
      ["people", people],
      ["tickets", work],
    ] as const) {
      if (!content) continue;
      const chosen = rest.organization && kind !== "organizations" ? { organizationId } : {};
      const order = await dryRun(ctx, { kind, preset, content }, chosen);
      expect([preset, kind, order.questions]).toEqual([preset, kind, []]);
      const done = await movedTo(ctx, order.id, "running");
      expect([preset, kind, done.added, (await outcomesOf(ctx, order.id))[0]?.[2]]).toEqual([
        preset,
        kind,
        1,
        preset === "itflow" && kind === "tickets" ? REASONS.no_requester : "",
      ]);
      const [last] = await ctx.db.all<{ id: string }>(sql`SELECT target_id AS id FROM imported_records
        WHERE import_id = ${order.id} AND kind = 'organization'`);
      organizationId = last?.id ?? organizationId;
    }
  }
  const lea = await ctx.db.select().from(contacts).where(sql`email LIKE 'lea@%'`);
  expect(lea.map(({ full_name }) => full_name)).toEqual(Array(6).fill("Lea Dent"));
  const found = await ctx.db.select().from(tickets).where(sql`old_number IS NOT NULL`).orderBy(tickets.number);
  expect(
    found.map(({ old_number, status, priority, created_at }) => [
      old_number,
      status,
      priority,
      new Date(created_at).toISOString(),
    ]),
  ).toEqual([
    ["TCK-7", "in_progress", "high", "2024-11-23T15:15:00.000Z"],
    ["100234", "closed", "medium", "2024-11-23T15:15:00.000Z"],
    ["67042", "closed", "medium", "2024-11-23T09:15:00.000Z"],
    ["88", "open", "medium", "2024-11-23T15:15:00.000Z"],
    ["004512", "waiting_for_customer", "medium", "2024-11-23T15:15:00.000Z"],
    ["2001", "closed", "medium", "2024-11-23T15:15:00.000Z"],
  ]);
});

test("dates that prove another order than the product's are read by it, and those that contradict each other are not", async () => {
  const ctx = testContext();
  const orderOf = async (...dates: string[]) => {
    const rows = dates.map((date, index) => `${index},Printer,Yew,Open,${date}\n`);
    const content = `Ticket #,Subject,Customer,Status,Created\n${rows.join("")}`;
    return (await uploaded(ctx, { kind: "tickets", preset: "syncro", content })).mapping?.dates;
  };
  expect(await orderOf("03/04/2024")).toBe("mdy");
  expect(await orderOf("03/04/2024", "23/11/2024 09:15")).toBe("dmy");
  expect(await orderOf("23/11/2024", "11/23/2024")).toBe("mdy");
});
