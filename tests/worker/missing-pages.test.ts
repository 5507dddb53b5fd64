import { expect, test } from "vitest";
import { OUR_FORM, rawClientOfBuiltWorker } from "../support/raw-http";
import { signedInOn } from "../support/raw-session";

const { send, getEnv } = rawClientOfBuiltWorker();

const database = async () => (await getEnv<{ DB: D1Database }>()).DB;

const signedIn = async (role: "user" | "moderator" | "admin") => signedInOn(await database(), role);

const linksTo = (path: string) => new RegExp(`<a [^>]*href="${path}"`);

const PORTAL = /<title>[^<]* Portal<\/title>/;
const ADMIN = /<nav [^>]*aria-label="Admin"/;

test.each([
  ["the admin area", "/admin"],
  ["an address without a page", "/admin/nothing-here"],
  ["a record", "/admin/submissions/sub_missing"],
  ["a file", "/admin/attachments/att_missing"],
  ["an export", "/admin/exports/submissions.csv"],
  ["a page of data that is none", "/admin/views"],
])("a client who asks for %s is denied inside the portal, and sees nothing of the admin area", async (_, path) => {
  const { status, body, headers } = await send(path, { headers: await signedIn("user") });
  expect(status).toBe(403);
  expect(body).toMatch(/<h1[^>]*>Access Denied<\/h1>/);
  expect(body).toContain("You don&#x27;t have permission to access this area. Admin privileges required.");
  expect(body).toMatch(PORTAL);
  expect(body).toMatch(linksTo("/client"));
  expect(body).toContain("Sign Out");
  expect(body).not.toMatch(ADMIN);
  expect(body).not.toMatch(linksTo("/admin"));
  expect(headers["cache-control"]).toContain("no-store");
});

test("a ticket that cannot be read says so inside the admin area, with a way to try again", async () => {
  const db = await database();
  const headers = await signedIn("moderator");
  await db.exec("ALTER TABLE support_tickets RENAME TO tickets_elsewhere");
  const answer = await send("/admin/tickets/T-1", { headers }).finally(() =>
    db.exec("ALTER TABLE tickets_elsewhere RENAME TO support_tickets"),
  );
  expect([answer.status, answer.headers["retry-after"]]).toEqual([503, "5"]);
  expect(answer.body).toMatch(/<h1[^>]*>Failed to fetch ticket messages<\/h1>/);
  expect(answer.body).toMatch(ADMIN);
  expect(answer.body).toMatch(/<a [^>]*href="\/admin\/tickets\/T-1"[^>]*>Retry/);
});

test("whoever gets no file of the portal reads why, inside the portal", async () => {
  const { status, body, headers } = await send("/client/exports/members.csv", { headers: await signedIn("user") });
  expect([status, headers["content-type"]]).toEqual([403, expect.stringContaining("text/html")]);
  expect(body).toMatch(/<h1[^>]*>No organization selected<\/h1>/);
  expect(body).toContain("This page belongs to an organization. Create or join one first.");
  expect(body).toMatch(PORTAL);
});

test("a file that is asked for too often leaves the page that offers it, which scripts do not take over", async () => {
  const headers = await signedIn("moderator");
  const file = () => send("/admin/exports/letters.csv", { headers });
  for (let taken = 0; taken < 10; taken += 1) expect((await file()).status).toBe(200);
  const { status, body } = await file();
  expect(status).toBe(429);
  expect(body).toMatch(/<h1[^>]*>Letters<\/h1>/);
  expect(body).toContain("Too many attempts.");
  // By the address of the file they would find no page, and show none.
  expect(body).not.toContain("__remixContext");
  expect((await send("/admin/letters", { headers })).body).toContain("__remixContext");
});

test("a socket and a request for data that are denied get no page", async () => {
  const headers = await signedIn("user");
  const socket = { ...headers, connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
  const answers = [
    await send("/admin/live", { headers: { ...socket, "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" } }),
    await send("/admin?_data=routes%2F_admin", { headers }),
  ];
  answers.push(await send("/client/live?_data=routes%2F_portal.client.live", { headers }));
  for (const { status, body } of answers) {
    expect(status).toBe(403);
    expect(body).not.toContain("Sign Out");
  }
});

test.each([
  ["a missing file", "/admin/attachments/att_01m7qjqzc0ywwhbfnr0c059qs5", "moderator", 404, "Page Not Found"],
  ["what is no id of a file", "/admin/attachments/nothing", "moderator", 404, "Page Not Found"],
  ["a missing export", "/admin/exports/nothing.csv", "moderator", 404, "Page Not Found"],
  ["an export for administrators", "/admin/exports/activity.csv", "moderator", 403, "Access Denied"],
] as const)("%s is said inside the admin area, without scripts for another address", async (_, path, role, status, title) => {
  const page = await send(path, { headers: await signedIn(role) });
  expect(page.status).toBe(status);
  expect(page.headers["content-type"]).toContain("text/html");
  expect(page.headers["content-disposition"]).toBeUndefined();
  expect(page.body).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`));
  expect(page.body).toMatch(ADMIN);
  expect(page.body).toMatch(linksTo("/admin"));
  expect(page.body).toContain(`<title>${title} | `);
  expect(page.body).not.toMatch(/<script|modulepreload/);
});

test.each([
  ["a missing submission", "/admin/submissions/sub_missing", "moderator", 404, "Page Not Found", "/admin/submissions"],
  ["what is no id", "/admin/submissions/nothing", "moderator", 404, "Page Not Found", "/admin/submissions"],
  ["an address without a page", "/admin/nothing-here", "moderator", 404, "Page Not Found", "/admin"],
  ["a page of administrators", "/admin/settings", "moderator", 403, "Access Denied", "/admin"],
  ["a missing letter", "/admin/letters/let_missing", "moderator", 404, "Page Not Found", "/admin/letters"],
  ["a missing reply", "/admin/canned-replies/can_missing", "moderator", 404, "Page Not Found", "/admin/canned-replies"],
  ["an address of the portal without a page", "/client/nothing-here", "user", 404, "Page Not Found", "/client"],
] as const)("%s is said inside the frame of its area and in its title, with a way back", async (_, path, role, status, title, back) => {
  const page = await send(path, { headers: await signedIn(role) });
  expect(page.status).toBe(status);
  expect(page.body).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`));
  expect(page.body).toContain(`<title>${title} | `);
  expect(page.body).toMatch(linksTo(back));
  expect(page.body).toContain("Priya Raman");
  expect(page.body).toContain("Sign Out");
  expect(page.headers["cache-control"]).toContain("no-store");
});

test("below the page for a new ticket is nothing, for anybody, and the sign-in does not lead there", async () => {
  for (const headers of [{}, await signedIn("user")]) {
    const page = await send("/create-ticket/x", { headers });
    expect(page.status).toBe(404);
    expect(page.body).toContain("Page Not Found");
  }
});

test.each([
  ["submission", "/admin/submissions/sub_missing", "Submissions"],
  ["reply", "/admin/canned-replies/can_missing", "Saved replies"],
])("the way back from a missing %s has the title of its list", async (_, path, list) => {
  const page = await send(path, { headers: await signedIn("moderator") });
  expect(page.body).toContain(`Back to ${list}</`);
});

test("a form about a missing submission is answered inside the frame too", async () => {
  const headers = { ...OUR_FORM, ...(await signedIn("moderator")) };
  const list = await send("/admin/submissions", { headers: { cookie: headers.cookie } });
  const token = /name="form_token" value="([^"]+)"/.exec(list.body)?.[1] ?? "";
  const body = new URLSearchParams({ form_token: token, intent: "status", status: "contacted" }).toString();
  const page = await send("/admin/submissions/nothing", { method: "POST", headers, body });
  expect(page.status).toBe(404);
  expect(page.body).toContain("Priya Raman");
});

test("an address without a page is counted, without its query; those of signed-in areas are not", async () => {
  const staff = await signedIn("moderator");
  const db = await database();
  await send("/admin/submissions/sub_missing-1999", { headers: staff });
  await send("/contact");
  await send("/brochure-1999?email=jo@larkspur.example");
  await send("/services/catering-1999");
  const paths = "SELECT path, hits FROM missing_paths WHERE path LIKE '%1999%' OR path = '/contact' ORDER BY path";
  const counted = async () => (await db.prepare(paths).all()).results;
  // They are collected for some seconds, and written together, with what other tests have asked for.
  await expect.poll(counted, { timeout: 30_000 }).toEqual([
    { path: "/brochure-1999", hits: 1 },
    { path: "/services/catering-1999", hits: 1 },
  ]);
});
