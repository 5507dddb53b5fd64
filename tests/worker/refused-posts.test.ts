import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { rulesFor } from "~/lib/areas";
import { newToken } from "~/platform/crypto.server";
import { runAll } from "../support/built-worker";
import { formsOf, textsOf } from "../support/page-forms";
import { type Access, PERMISSIONS } from "../support/permissions";
import { OUR_FORM, type RawResponse, rawClientOfBuiltWorker } from "../support/raw-http";
import { type Account, accountOf, newId } from "../support/raw-session";
import { addressOf, isPage, routes, sourceOf } from "../support/routes";

/*
 * What people read whose form is refused, whichever it is and however it was made: by hand, from a page that is too
 * old, after the session or the right has ended. Routes are found by their files, and forms on their pages, so that a
 * new one is tried too.
 */

const takesPosts = (route: string) => /export (?:async function|const) action\b/.test(sourceOf(route));

/** Browsers report here by themselves, and machines with keys of their own: nobody reads the answer. */
const MACHINES = ["backups", "csp-report"];

const posted = routes.filter((route) => isPage(route) && takesPosts(route) && !MACHINES.includes(route));
const pagesOnly = routes.filter(
  (route) => isPage(route) && !takesPosts(route) && /export default/.test(sourceOf(route)) && !route.includes("$"),
);

const { send, getEnv } = rawClientOfBuiltWorker({ pastFiles: true });

type Cookie = { cookie: string };
type People = Record<"admin" | "moderator" | "owner" | "suspended" | "nobody" | "ended", Cookie>;

let db: D1Database;
let countRows: () => Promise<unknown>;
let rowsBefore: unknown;
let people: People;
let params: Record<string, string>;
let noteOf: Record<"organization" | "submission", string>;
let foreignToken: string;

beforeAll(async () => {
  ({ DB: db } = await getEnv<{ DB: D1Database }>());
  const now = Date.now();
  const ids = {
    organizationId: newId("org"),
    submissionId: newId("sub"),
    importId: newId("imp"),
    letterId: newId("ltr"),
    mailId: newId("inm"),
    membershipId: newId("mem"),
  };
  noteOf = { organization: newId("note"), submission: newId("note") };
  const { organizationId, submissionId } = ids;
  const number = 700_000 + (now % 100_000);
  const [admin, other] = [accountOf({ role: "admin" }), accountOf({ role: "admin" })];
  const moderator = accountOf({ role: "moderator" });
  const [owner, suspended, omar] = [accountOf(), accountOf(), accountOf()];
  const member = ({ id }: Account, role: string, status: string, membershipId = newId("mem")) =>
    `INSERT INTO organization_memberships(id, organization_id, user_id, role, status, joined_at, created_at, updated_at)
     VALUES ('${membershipId}', '${organizationId}', '${id}', '${role}', '${status}', ${now}, ${now}, ${now})`;
  const note = (type: keyof typeof noteOf, subjectId: string) =>
    `INSERT INTO admin_notes(id, created_at, updated_at, subject_type, subject_id, admin_user_id, author_name, note)
     VALUES ('${noteOf[type]}', ${now}, ${now}, '${type}', '${subjectId}', 'usr_x', 'Priya Raman', 'Called.')`;
  await runAll(db, [
    `INSERT INTO organizations(id, created_at, updated_at, name, slug, plan, search_name)
     VALUES ('${organizationId}', ${now}, ${now}, 'Larkspur Row', '${organizationId.replace("_", "-")}', 'core', 'larkspur row')`,
    ...[admin, moderator, owner, suspended, omar, other].flatMap(({ statements }) => statements),
    member(owner, "owner", "active"),
    member(suspended, "owner", "suspended"),
    member(omar, "member", "active", ids.membershipId),
    `INSERT INTO contact_submissions(id, created_at, updated_at, number, first_name, last_name, email, status, consent_at,
       reply_due_at, consent_terms_version, ip_hash, search_text, name_key, submitted_on)
     VALUES ('${submissionId}', ${now}, ${now}, ${number}, 'Ada', 'Becker', 'ada@clinic.example', 'new', 1, 1, '1', 'x',
       'ada becker', 'ada', '2026-11-18')`,
    `INSERT INTO support_tickets(id, created_at, updated_at, number, organization_id, title, description, priority, status,
       created_by, creator_name, last_message_at, promise_json, viewers, search_text)
     VALUES ('${newId("tkt")}', ${now}, ${now}, ${number}, '${organizationId}', 'Printer offline', 'It blinks.', 'high',
       'open', '${omar.id}', 'Priya Raman', ${now}, '{}', '', 'x')`,
    `INSERT INTO letters(id, created_at, updated_at, organization_id, month, status, facts_json, words_json)
     VALUES ('${ids.letterId}', ${now}, ${now}, '${organizationId}', '2026-10', 'draft', '{}', '{}')`,
    `INSERT INTO inbound_mail(id, envelope_from, envelope_to, size, object_key, state, from_address, next_at, received_at)
     VALUES ('${ids.mailId}', 'ada@clinic.example', 'support@clinic.example', 1, '${ids.mailId}', 'held',
       'ada@clinic.example', ${now}, ${now})`,
    `INSERT INTO imports(id, kind, preset, state, created_at, file_name, file_key, file_size, file_json, mapping_json)
     VALUES ('${ids.importId}', 'people', 'generic', 'columns', ${now}, 'people.csv', '${ids.importId}', 1,
       '{"format":"csv","encoding":"utf-8","delimiter":",","start":0,"rows":1,"columns":[]}',
       '{"fields":[],"dates":null,"organizationId":null,"words":{"status":{},"priority":{},"assignee":{}}}')`,
    note("organization", organizationId),
    note("submission", submissionId),
  ]);
  params = { ...ids, ticket: `T-${number}`, reply: "can_default_1", userId: omar.id, personId: omar.id };
  people = {
    admin: admin.session,
    moderator: moderator.session,
    owner: owner.session,
    suspended: suspended.session,
    nobody: { cookie: "" },
    ended: { cookie: `__Host-sid=${newToken()}` },
  };
  const { body } = await send("/admin/submissions", { headers: other.session });
  foreignToken = /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? "";
  countRows = await rowCounter();
  rowsBefore = await countRows();
});

/** Returns the address of a route, with the records that exist here. */
const pathOf = (route: string) =>
  addressOf(route, { ...params, noteId: noteOf[route.includes("organizations") ? "organization" : "submission"] });

/** Returns who may send the forms of a route, and who may not any more. */
function sendersOf(route: string): { by: Cookie; without: Cookie | null } {
  const access: Access = PERMISSIONS[route]?.post?.access ?? PERMISSIONS[route]?.get?.access ?? "anyone";
  if (access === "admin") return { by: people.admin, without: people.moderator };
  if (access === "staff") return { by: people.admin, without: people.owner };
  if (access === "anyone" || access === "signed_out") return { by: people.nobody, without: null };
  const needsMembership = access === "member" || access.startsWith("organization");
  return { by: people.owner, without: needsMembership ? people.suspended : null };
}

type Post = { what: string; path: string; by: Cookie; method?: string; type?: string; body?: string };

const encoded = (fields: readonly (readonly [string, string])[]) =>
  new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();

const REST = { method: "POST", type: OUR_FORM["content-type"], body: "a=b" };

/**
 * Lists the forms on the page of a route that are sent to it, without a token and with that of another session; and one
 * of them in turn after the session has ended, and with an intent that none has: which one makes no difference there.
 */
async function lateForms(route: string, by: Cookie, turn: number): Promise<Post[]> {
  const path = pathOf(route);
  const own = formsOf((await opened(path, by)).body, path).filter(({ action }) => action.replace(/\?.*/, "") === path);
  // Rows have the same forms.
  const byIntent = new Map(own.map((form) => [form.fields.findLast(([name]) => name === "intent")?.[1] ?? "", form]));
  const forms = [...byIntent];
  const posts = forms.flatMap(([intent, { action, fields }]) => {
    const rest = encoded(fields.filter(([name]) => name !== "form_token"));
    return [
      { what: `${intent} without a token`, path: action, by, body: rest },
      { what: `${intent} of another session`, path: action, by, body: `form_token=${foreignToken}&${rest}` },
    ];
  });
  const [intent, form] = forms[turn % forms.length] ?? [];
  if (!form) return posts;
  const late = { what: `${intent} without a session`, path: form.action, by: people.ended, body: encoded(form.fields) };
  const others = form.fields.filter(([name]) => name !== "intent");
  const unknown = { what: "an unknown intent", path: form.action, by, body: encoded([...others, ["intent", "drop"]]) };
  return [...posts, late, ...(byIntent.size > (byIntent.has("") ? 1 : 0) ? [unknown] : [])];
}

/**
 * Lists posts that no page sends. What is refused before a route sees it, each address gets one of in turn: which one
 * makes no difference there. So it is with fields that no form has.
 */
function handMade(path: string, by: Cookie, turn: number): Post[] {
  const oneOf = (posts: Post[]) => posts[turn % posts.length] as Post;
  return [
    { what: "nothing", path, by, body: "" },
    oneOf([
      { what: "other fields", path, by },
      { what: "many fields", path, by, body: encoded(Array.from({ length: 99 }, (_, index) => [`f${index}`, "1"])) },
      { what: "a field twice", path, by, body: "intent=a&intent=b" },
    ]),
    oneOf([
      { what: "JSON", path, by, type: "application/json", body: "{}" },
      { what: "no type", path, by, type: "" },
    ]),
    { what: "half a body", path, by, type: "multipart/form-data; boundary=x", body: "--x\r\nContent-" },
    oneOf([
      { what: "PUT", path, by, method: "PUT" },
      { what: "DELETE", path, by, method: "DELETE" },
      { what: "PATCH", path, by, method: "PATCH" },
    ]),
  ];
}

/** Lists the statuses of a post; any refusal where it is not here. */
const STATUS: Record<string, number> = {
  JSON: 415,
  "no type": 415,
  "without the right": 403,
  "signed out": 401,
  "a form": 405,
  "too much": 413,
  PUT: 405,
  DELETE: 405,
  PATCH: 405,
};
const REFUSED = [400, 401, 403, 404, 405, 409, 413, 415, 429];

const post = ({ path, by, ...given }: Post) => {
  const { method, type, body } = { ...REST, ...given };
  // Whatever is refused before its body is read would leave that to the next request of the connection.
  return send(path, { method, headers: { ...OUR_FORM, ...by, connection: "close", "content-type": type }, body });
};

const isSentence = (text: string) => /\p{L}+['’]?\p{L}* \p{L}+['’]?\p{L}* \p{L}+/u.test(text);

/** Returns the cookie with the message for the next page. */
const messageOf = ({ headers }: RawResponse) =>
  (headers["set-cookie"] ?? [])
    .map((cookie) => cookie.split(";")[0] ?? "")
    .find((pair) => /^__Host-toast=./.test(pair));

/** Lists what the answer to a document says that its page does not say anyway. */
async function saidBy(answer: RawResponse, { path, by }: Post): Promise<string[]> {
  const message = messageOf(answer);
  if (answer.headers.location && !message) return [];
  const to = answer.headers.location ?? path;
  const html = answer.headers.location
    ? (await send(to, { headers: { cookie: `${by.cookie}; ${message}` } })).body
    : answer.body;
  const anyway = await saidAnyway(to, by);
  return digitless(textsOf(html)).filter((text) => !anyway.includes(text));
}

const digitless = (texts: readonly string[]) => texts.map((text) => text.replace(/\d+/g, "0"));
const pages = new Map<string, Promise<RawResponse>>();

/** Returns the page of an address, which is opened once by each person. */
function opened(path: string, by: Cookie): Promise<RawResponse> {
  const key = `${path} ${by.cookie}`;
  const page = pages.get(key) ?? send(path, { headers: by });
  pages.set(key, page);
  return page;
}

/** Returns what a page says that is opened; an error is no such page. */
async function saidAnyway(path: string, by: Cookie): Promise<readonly string[]> {
  const { status, body } = await opened(path, by);
  return status === 200 ? digitless(textsOf(body)) : [];
}

/** Lists the texts of an answer for a script, without what was typed. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === "values" ? [] : textsIn(inner)));
};

/** Returns what is wrong with the answer to a document; undefined: nothing. */
async function wrongWithPage(sent: Post): Promise<string | undefined> {
  const answer = await post(sent);
  const { status, headers, body } = answer;
  const expected = STATUS[sent.what];
  if (expected ? status !== expected : !REFUSED.includes(status) && status !== 303) return `status ${status}`;
  if (status !== 303 && !headers["content-type"]?.startsWith("text/html")) return `type ${headers["content-type"]}`;
  if (!(await saidBy(answer, sent)).some(isSentence)) return `${status} without words`;
  return status === 303 || /<a [^>]*href=|<form /.test(body) ? undefined : `${status} without a way on`;
}

/** Returns what is wrong with the answer to a form that a script has sent; undefined: nothing. */
async function wrongWithData(route: string, sent: Post): Promise<string | undefined> {
  const [path = "", query = ""] = sent.path.split("?");
  const data = [query, route.endsWith("_index") ? "index" : "", `_data=${encodeURIComponent(`routes/${route}`)}`];
  const answer = await post({ ...sent, path: `${path}?${data.filter(Boolean).join("&")}` });
  const { status, headers, body } = answer;
  if (status === 204) return messageOf(answer) ? undefined : "data: elsewhere without words";
  const expected = STATUS[sent.what];
  if (expected ? status !== expected : !REFUSED.includes(status)) return `data: status ${status}`;
  if (!headers["content-type"]?.startsWith("application/json")) return `data: type ${headers["content-type"]}`;
  return textsIn(JSON.parse(body)).some(isSentence) ? undefined : `data: ${status} without words: ${body}`;
}

/** Returns what counts the rows of all tables but those in which the worker notes who comes, and how often. */
async function rowCounter(): Promise<() => Promise<unknown>> {
  const NOTES = ["sessions", "rate_limit_attempts", "missing_paths", "page_views", "audit_seals"];
  const { results } = await db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    .all<{ name: string }>();
  const names = results
    .map(({ name }) => name)
    .filter((name) => !NOTES.includes(name) && !/^_cf|^sqlite|_search_/.test(name));
  const counts = db.prepare(`SELECT ${names.map((name) => `(SELECT count(*) FROM "${name}") AS "${name}"`).join()}`);
  return () => counts.first();
}

// Whatever has become of the test, so that the next one is not blamed for its rows.
afterEach(async () => {
  const before = rowsBefore;
  rowsBefore = await countRows();
  expect(rowsBefore).toEqual(before);
});

/**
 * Sends all posts, in turn as a browser does and as a script does, and lists what is wrong with the answers. Each route
 * begins with the other one, and so does each form, so everything that is refused is sent both ways.
 */
async function wrongWith(route: string, posts: readonly Post[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const [index, sent] of posts.entries()) {
    const isByScript = (routes.indexOf(route) + index + Math.floor(index / 2)) % 2 === 1;
    const problem = await (isByScript ? wrongWithData(route, sent) : wrongWithPage(sent));
    if (problem) wrong.push(`${sent.what}: ${problem}`);
  }
  return wrong;
}

describe.each(posted)("a form of %s that is refused", (route) => {
  test("says why, with the right status, whether a page or its script has sent it, and stores nothing", async () => {
    const { by, without } = sendersOf(route);
    const path = pathOf(route);
    expect(path).not.toContain("sample");
    const missing = PERMISSIONS[route]?.path ?? path;
    const turn = posted.indexOf(route);
    const posts = [...(await lateForms(route, by, turn)), ...handMade(path, by, turn)];
    if (missing !== path) posts.push({ what: "a record that does not exist", path: missing, by });
    if (without) posts.push({ what: "without the right", path, by: without });
    if (rulesFor(path).guard !== "none") {
      posts.push({ what: "signed out", path, by: people.nobody }, { what: "signed out", path, by: people.ended });
    }
    expect(await wrongWith(route, posts)).toEqual([]);
  });
});

test.each(pagesOnly)("a form that is sent to %s, which takes none, is told so", async (route) => {
  const { by } = sendersOf(route);
  const path = pathOf(route);
  expect(await wrongWith(route, [{ what: "a form", path, by }])).toEqual([]);
});

test("a form that is too large is told so, also where a script has sent it", async () => {
  const headers = { ...OUR_FORM, ...people.admin, "content-length": String(60 * 1024 * 1024) };
  const large = (query: string) => send(`/admin/submissions${query}`, { method: "POST", headers });
  const [page, data] = [
    await large(""),
    await large(`?_data=${encodeURIComponent("routes/_admin.admin.submissions._index")}`),
  ];
  expect([page.status, data.status]).toEqual([413, 413]);
  expect(textsOf(page.body).some(isSentence)).toBe(true);
  expect(JSON.parse(data.body)).toMatchObject({ title: "That is too large", text: expect.any(String) });
});
