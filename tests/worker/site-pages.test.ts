import { beforeAll, describe, expect, test } from "vitest";
import { publicPaths } from "~/features/site/seo";
import { FLASH_COOKIE } from "~/platform/flash.server";
import { OUR_FORM, rawClientOfBuiltWorker } from "../support/raw-http";

const { send, post, getEnv, signedIn } = rawClientOfBuiltWorker();

type People = Record<"user" | "moderator", { cookie: string }>;
let people: People;

beforeAll(async () => {
  people = { user: await signedIn("user"), moderator: await signedIn("moderator") };
  // Addresses without a page are counted after some seconds: see the test that waits for it.
  await send("/admin/submissions/sub_missing-1999", { headers: people.moderator });
  for (const path of ["/contact", "/brochure-1999?email=jo@larkspur.example", "/services/catering-1999"])
    await send(path);
});

const cachedPaths = publicPaths.filter((path) => path !== "/contact");

test.each(cachedPaths)("%s is the same for everyone: no cookie, no nonce, an ETag", async (path) => {
  const page = await send(path);
  expect(page.status).toBe(200);
  expect(page.headers["set-cookie"]).toBeUndefined();
  expect(page.headers["cache-control"]).toBe("public, max-age=0, must-revalidate");
  expect(page.headers["content-security-policy"]).toContain("script-src 'self';");
  expect(page.body).not.toContain("form_token");
  const etag = page.headers.etag ?? "";
  expect((await send(path, { headers: { "if-none-match": etag } })).status).toBe(304);
});

test.each([
  ["somebody signed in", "/", { Cookie: "__Host-sid=0123456789012345678901234567890123456789012" }],
  ["somebody with a message to show", "/", { Cookie: `${FLASH_COOKIE}=abc.def` }],
  ["an estimate", "/pricing?plan=basic", {}],
])("the page for %s is not cached", async (_, path, headers) => {
  const page = await send(path, { headers });
  expect(page.headers["cache-control"]).toBe("private, no-store");
  expect(page.headers.etag).toBeUndefined();
  expect(page.headers["content-security-policy"]).not.toMatch(/nonce-|unsafe/);
});

test.each(publicPaths)("%s has a title, one heading, a canonical link and a description", async (path) => {
  const { body } = await send(`${path}?utm_source=letter`);
  expect(body.match(/<title>[^<]+<\/title>/g)).toHaveLength(1);
  expect(body.match(/<h1\b/g)).toHaveLength(1);
  expect(body).toContain(`<link rel="canonical" href="http://localhost:8787${path}"/>`);
  expect(body).toMatch(/<meta name="description" content="[^"]{30,}"/);
  expect(body).toContain('<meta property="og:image" content="http://localhost:8787/images/preview.png"/>');
  for (const [, json] of body.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)) {
    expect(JSON.parse(json ?? "")).toMatchObject({ "@context": "https://schema.org" });
  }
});

test("until its owner writes a story, an installation tells nobody's", async () => {
  const { body } = await send("/why-us");
  expect(body).not.toMatch(/Our story|, founder|<blockquote/);
  expect(body).toMatch(/>Mission</);
});

test("titles and descriptions are all different", async () => {
  const pages = await Promise.all(publicPaths.map((path) => send(path)));
  const found = (pattern: RegExp) => new Set(pages.map(({ body }) => pattern.exec(body)?.[1]));
  expect(found(/<title>([^<]+)</).size).toBe(publicPaths.length);
  expect(found(/name="description" content="([^"]+)"/).size).toBe(publicPaths.length);
});

test.each([
  ["/services/cloud", "Service Not Found", "Did you mean Cloud &amp; Remote Work?", "/services/cloud-solutions"],
  ["/services/backup", "Service Not Found", "Did you mean Data Backup?", "/services/data-backup"],
  ["/services/unheard-of", "Service Not Found", "Sorry, we couldn&#x27;t find the service", "/services"],
  ["/industries/farming", "Industry Not Found", "Sorry, we couldn&#x27;t find information", "/industries"],
  ["/nothing/here", "Page Not Found", "Return to Home", "/"],
  ["/services/__proto__", "Service Not Found", "Sorry", "/services"],
])("%s gets a 404 page with a useful link, which is not cached", async (path, title, text, link) => {
  const page = await send(path);
  expect(page.status).toBe(404);
  expect(page.body).toContain(`<h1>${title}</h1>`);
  expect(page.body.replace(/<!-- -->/g, "")).toContain(text);
  expect(page.body).toContain(`href="${link}"`);
  expect(page.body).toContain('<meta name="robots" content="noindex"/>');
  expect(page.headers["cache-control"]).toBe("private, no-store");
});

/** Returns the total on the page, as a visitor without scripts sees it. */
const totalIn = (html: string) => /<output[^>]*>([^<]+)<\/output>/.exec(html)?.[1];

test.each([
  ["", "$745.00", false],
  ["?plan=core&users=12&lab=4&secureStorage=on", "$2,096.60", false],
  ["?users=9999", "$7,450.00", true],
  ["?users=%00&lab=%F0%9F%92%A9&webServices=%3Cscript%3E", "$745.00", false],
])("the total of /pricing%s is %s", async (query, total, isAdjusted) => {
  const { status, body } = await send(`/pricing${query}`);
  expect(status).toBe(200);
  expect(totalIn(body)).toBe(total);
  expect(body.includes("We adjusted a value to the allowed range.")).toBe(isAdjusted);
  expect(body).not.toMatch(/NaN|undefined|Infinity/);
});

test("links of the pricing page contain the estimate, and those of a plan that plan", async () => {
  const { body } = await send("/pricing?plan=core&users=12&webServices=on");
  expect(body).toContain('href="/contact?plan=core&amp;users=12&amp;lab=0&amp;webServices=on"');
  expect(body).toContain('href="/contact?plan=basic&amp;users=12&amp;lab=0&amp;webServices=on"');
  // Premium includes web services, so the link must not add them.
  expect(body).toContain('href="/contact?plan=premium&amp;users=12&amp;lab=0"');
});

test("with Premium the page marks included add-ons, and at 50 users it says what to do", async () => {
  const { body } = await send("/pricing?plan=premium&users=50");
  const included = [...body.matchAll(/<span [^>]*data-add-on="(\w+)">Included</g)].map(([, flag]) => flag);
  expect(included).toEqual(["webServices", "extraOnsiteVisits", "extraAfterHoursSupport"]);
  for (const flag of included) expect(body).toMatch(new RegExp(`<input[^>]*name="${flag}" disabled=""`));
  expect(body).toMatch(/<p [^>]*data-more="true">/);
  expect((await send("/pricing?users=49")).body).toMatch(/<p [^>]*data-more="true" hidden="">/);
});

test("the contact page shows the estimate and sends the choices, never a price", async () => {
  const { body } = await send("/contact?plan=core&users=12&lab=4&secureStorage=on");
  expect(body).toContain("$2,096.60");
  for (const [name, value] of [
    ["plan", "core"],
    ["users", "12"],
    ["lab", "4"],
    ["secureStorage", "on"],
  ]) {
    expect(body).toContain(`<input type="hidden" name="${name}" value="${value}"/>`);
  }
  expect((await send("/contact")).body).not.toContain("Your estimate");
});

const database = async () => (await getEnv<{ DB: D1Database }>()).DB;

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
  const { status, body, headers } = await send(path, { headers: people.user });
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
  const headers = people.moderator;
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
  const { status, body, headers } = await send("/client/exports/members.csv", { headers: people.user });
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
  const headers = people.user;
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
  const page = await send(path, { headers: people[role] });
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
  const page = await send(path, { headers: people[role] });
  expect(page.status).toBe(status);
  expect(page.body).toMatch(new RegExp(`<h1[^>]*>${title}</h1>`));
  expect(page.body).toContain(`<title>${title} | `);
  expect(page.body).toMatch(linksTo(back));
  expect(page.body).toContain("Priya Raman");
  expect(page.body).toContain("Sign Out");
  expect(page.headers["cache-control"]).toContain("no-store");
});

test("below the page for a new ticket is nothing, for anybody, and the sign-in does not lead there", async () => {
  for (const headers of [{}, people.user]) {
    const page = await send("/create-ticket/x", { headers });
    expect(page.status).toBe(404);
    expect(page.body).toContain("Page Not Found");
  }
});

test.each([
  ["submission", "/admin/submissions/sub_missing", "Submissions"],
  ["reply", "/admin/canned-replies/can_missing", "Saved replies"],
])("the way back from a missing %s has the title of its list", async (_, path, list) => {
  const page = await send(path, { headers: people.moderator });
  expect(page.body).toContain(`Back to ${list}</`);
});

test("a form about a missing submission is answered inside the frame too", async () => {
  const headers = { ...OUR_FORM, ...people.moderator };
  const list = await send("/admin/submissions", { headers: { cookie: headers.cookie } });
  const token = /name="form_token" value="([^"]+)"/.exec(list.body)?.[1] ?? "";
  const body = new URLSearchParams({ form_token: token, intent: "status", status: "contacted" }).toString();
  const page = await send("/admin/submissions/nothing", { method: "POST", headers, body });
  expect(page.status).toBe(404);
  expect(page.body).toContain("Priya Raman");
});

test("an address without a page is counted, without its query; those of signed-in areas are not", async () => {
  const db = await database();
  const paths = "SELECT path, hits FROM missing_paths WHERE path LIKE '%1999%' OR path = '/contact' ORDER BY path";
  const counted = async () => (await db.prepare(paths).all()).results;
  // What was asked for before the tests is collected for some seconds, and written together with what they ask for.
  await expect.poll(counted, { timeout: 30_000 }).toEqual([
    { path: "/brochure-1999", hits: 1 },
    { path: "/services/catering-1999", hits: 1 },
  ]);
});

describe("addresses", () => {
  describe("paths", () => {
    const NOT_FOUND = { status: 404, location: null };
    const GUARDED = { status: 302, location: "/auth?redirectTo=%2Fadmin" };

    test.each([
      ["//admin", NOT_FOUND],
      ["/%61dmin", NOT_FOUND],
      ["/admin;x", NOT_FOUND],
      ["/admin%2fsubmissions", NOT_FOUND],
      ["/admin%5csubmissions", NOT_FOUND],
      ["/%00admin", NOT_FOUND],
      ["/./admin", GUARDED],
      ["/x/..%2fadmin", NOT_FOUND],
    ])("%s, which leads around no guard, gets %j", async (path, outcome) => {
      const { status, headers } = await send(path);
      expect({ status, location: headers.location ?? null }).toEqual(outcome);
    });

    test.each([
      ["/Admin", "/admin"],
      ["/ADMIN/submissions?q=x", "/admin/submissions?q=x"],
      ["/contact/", "/contact"],
    ])("%s is not canonical and redirects to %s", async (path, canonical) => {
      expect(await send(path)).toMatchObject({ status: 301, headers: { location: canonical } });
    });

    test("a form sent to an address that is not canonical is not accepted", async () => {
      expect((await post(OUR_FORM, "a=b", "/CONTACT")).status).toBe(404);
      expect((await post(OUR_FORM, "a=b", "/contact/")).status).toBe(404);
    });

    test.each([
      ["POST", "/healthz", 405],
      ["POST", "/nothing", 405],
      ["GET", "/logout", 405],
    ])("%s %s gets an error page with a text, a reference and a link to Home", async (method, path, status) => {
      const response = method === "POST" ? await post(OUR_FORM, "a=b", path) : await send(path);
      expect(response.status).toBe(status);
      expect(response.headers.allow).toBeDefined();
      expect(response.body).toMatch(/<h1>That does not work here<\/h1>[\s\S]*Return to Home[\s\S]*Reference/);
    });

    test("client areas redirect to the sign-in page for clients", async () => {
      expect((await send("/client/tickets")).headers.location).toBe("/client/auth?redirectTo=%2Fclient%2Ftickets");
    });

    test("a signed-out visitor's post to a guarded address changes nothing and shows the sign-in form", async () => {
      const response = await post(OUR_FORM, "status=resolved", "/admin/submissions/sub_1");
      expect(response.status).toBe(401);
      expect(response.body).toContain('name="password"');
    });

    test("for an asset that does not exist no page is rendered", async () => {
      expect(await send("/build/none.js")).toMatchObject({ status: 404, body: "Not found" });
    });
  });
});
