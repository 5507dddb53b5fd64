import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { sessions } from "~/db/schema/sessions";
import { findUnsentForm, loadUnsentPage, storeUnsentForm } from "~/features/account/unsent-form.server";
import { minutes } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { hashToken, newToken } from "~/platform/crypto.server";
import { issueFormToken } from "~/platform/form-token.server";
import { keepSessionData, sessionDataKey } from "~/platform/session-data.server";
import { derive, type TestContext, testContext } from "../../support/context";
import { makePerson, makeSession, type Person, signedInAs } from "../../support/factories";
import { post, postMultipart } from "../../support/requests";

const PATH = "/client/tickets/T-1001?page=2";

let ctx: TestContext;
let person: Person;
let signedIn: SignedIn;
let sessionId: string;

beforeEach(async () => {
  ctx = testContext();
  person = await makePerson(ctx);
  ({ sessionId, signedIn } = await makeSession(ctx, person));
  await ctx.db.update(sessions).set({ revoked_at: 1 }).where(eq(sessions.id_hash, signedIn.sessionHash));
});

/** Returns the context of a browser whose session has ended. */
function browser({ cookies = [["__Host-sid", sessionId]] as [string, string][], path = PATH } = {}): Ctx {
  const url = new URL(`http://localhost:8787${path}`);
  return derive(ctx, {
    signedIn: null,
    request: { ...ctx.request, method: "POST", url, cookies: new Map(cookies) },
  });
}

/** Returns the cookies of a browser that has left a form behind. */
const withForm = (id: string | null): [string, string][] => [
  ["__Host-sid", sessionId],
  ["__Host-hld", id ?? ""],
];
const kept = () => storeUnsentForm(browser(), post(PATH, typed()));
const tokenOf = (session: SignedIn | null) => issueFormToken(derive(ctx, { signedIn: session }), "ticket-reply");
const typed = () => ({ form_token: tokenOf(signedIn), message: "The lab is slow.", version: "3" });
const keptKeys = async () => (await ctx.kv.list({ prefix: "unsent:" })).keys.map(({ name }) => name);

/** Looks for the unsent form by a request with this cookie. */
const look = (id: string | null, who: Person = person) =>
  findUnsentForm(browser({ cookies: id ? [["__Host-hld", id]] : [] }), signedInAs(who, ctx.now()));

const waiting = async (id: string | null, who: Person = person) => {
  const found = await look(id, who);
  return found.state === "found" ? found.form : null;
};

test("typed text is stored encrypted for its owner, with the path it was posted to", async () => {
  const id = await storeUnsentForm(browser({ path: `${PATH}&_data=routes%2Fx` }), post(PATH, typed()));
  expect(await waiting(id)).toEqual({
    path: PATH,
    purpose: "ticket-reply",
    fields: [
      ["message", "The lab is slow."],
      ["version", "3"],
    ],
  });
  const key = `unsent:${hashToken(id ?? "")}`;
  expect(await keptKeys()).toContain(key);
  expect(await ctx.kv.get(key)).not.toMatch(/lab|T-1001/);
  expect(ctx.cookiesSet).toHaveLength(1);
  expect(ctx.cookiesSet[0]).toMatch(/^__Host-hld=[\w-]{43}; Max-Age=1800; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
});

describe("nothing is stored", () => {
  const cases: [string, () => [Ctx, Request]][] = [
    ["for a stranger", () => [browser({ cookies: [] }), post(PATH, typed())]],
    ["for an unknown session", () => [browser({ cookies: [["__Host-sid", newToken()]] }), post(PATH, typed())]],
    ["without a form token", () => [browser(), post(PATH, { message: "The lab is slow." })]],
    ["with a token without a session", () => [browser(), post(PATH, { ...typed(), form_token: tokenOf(null) })]],
    [
      "with a token made for another session of the same person",
      () => [browser(), post(PATH, { ...typed(), form_token: tokenOf(signedInAs(person, ctx.now())) })],
    ],
    [
      "with a token whose purpose was changed",
      () => [browser(), post(PATH, { ...typed(), form_token: tokenOf(signedIn).replace("ticket-reply", "account") })],
    ],
    ["of a form without typed text", () => [browser(), post(PATH, { ...typed(), message: "  " })]],
    ["of a text that is too long", () => [browser(), post(PATH, { ...typed(), message: "x".repeat(64_001) })]],
    ["of a post to the page that shows it", () => [browser({ path: "/profile/unsent" }), post(PATH, typed())]],
    [
      "of a body that is not a form",
      () => {
        const headers = { "Content-Type": "multipart/form-data; boundary=x" };
        return [browser(), new Request("http://localhost:8787/", { method: "POST", headers, body: "nothing" })];
      },
    ],
  ];
  test.each(cases)("%s", async (_, given) => {
    const before = await keptKeys();
    const [context, request] = given();
    expect(await storeUnsentForm(context, request)).toBeNull();
    expect(await keptKeys()).toEqual(before);
    expect(ctx.cookiesSet).toEqual([]);
  });
});

test("nothing is read of what a stranger sends, whose cookie is of no session", async () => {
  const request = post(PATH, typed());
  await storeUnsentForm(browser({ cookies: [["__Host-sid", newToken()]] }), request);
  expect(request.bodyUsed).toBe(false);
});

test("passwords, codes, tokens and files are never stored, in whatever case they are written", async () => {
  const secrets = { current_password: "s1", newPassword: "s2", code: "s3", setup_token: "s4", client_secret: "s5" };
  const request = postMultipart(PATH, { ...typed(), ...secrets }, { field: "file", name: "a.txt", bytes: "bytes" });
  const form = await waiting(await storeUnsentForm(browser(), request));
  expect(form?.fields.map(([name]) => name)).toEqual(["message", "version"]);
});

describe("an unsent form", () => {
  test("is visible to nobody else, in no other browser, and for half an hour only", async () => {
    const id = await kept();
    expect(await waiting(id, await makePerson(ctx))).toBeNull();
    expect(await waiting(null)).toBeNull();
    expect(await waiting(newToken())).toBeNull();
    ctx.clock.advance(minutes(30) - 1);
    expect(await waiting(id)).not.toBeNull();
    ctx.clock.advance(1);
    expect(await waiting(id)).toBeNull();
  });

  test("is replaced by the next one that the browser sends", async () => {
    const first = await kept();
    const again = browser({ cookies: withForm(first) });
    const second = await storeUnsentForm(again, post(PATH, { ...typed(), message: "It is still slow." }));
    await ctx.settle();
    expect(await waiting(first)).toBeNull();
    expect((await waiting(second))?.fields[0]).toEqual(["message", "It is still slow."]);
  });

  test("cannot be read under the key of another form", async () => {
    const thief = await makePerson(ctx);
    const [own, stolen] = [newToken(), await kept()];
    const form = await ctx.kv.get(`unsent:${hashToken(stolen ?? "")}`);
    await ctx.kv.put(`unsent:${hashToken(own)}`, form ?? "");
    expect(await look(own)).toEqual({ state: "lost" });
    expect(await look(own, thief)).toEqual({ state: "lost" });
  });

  test("that nobody finds any more is told of, and one of somebody else is not", async () => {
    const id = await kept();
    const open = (cookie: string | null, who: Person) =>
      loadUnsentPage(browser({ cookies: [["__Host-hld", cookie ?? ""]] }), signedInAs(who, ctx.now()));
    const told = () => ctx.cookiesSet.some((cookie) => cookie.startsWith("__Host-toast="));
    await expect(open(id, await makePerson(ctx))).rejects.toMatchObject({ status: 303 });
    expect(told()).toBe(false);
    await expect(open(newToken(), person)).rejects.toMatchObject({ status: 303 });
    expect(told()).toBe(true);
  });

  test("is lost without an error while KV does not respond", async () => {
    const away = () => Promise.reject(new Error("KV is away"));
    const kv = new Proxy(ctx.kv, { get: (_, name) => (name === "delete" ? async () => {} : away) });
    expect(await storeUnsentForm({ ...browser(), kv }, post(PATH, typed()))).toBeNull();
    expect(ctx.cookiesSet).toEqual([]);
    const cookies = withForm(await kept());
    ctx.cookiesSet.length = 0;
    expect(await storeUnsentForm({ ...browser({ cookies }), kv }, post(PATH, typed()))).toBeNull();
    // What was kept before is older, and is not shown in its place.
    expect(ctx.cookiesSet).toEqual([expect.stringMatching(/^__Host-hld=; Max-Age=0/)]);
  });

  test("that KV does not hand out now is not lost: its cookie stays, and it is shown once KV answers again", async () => {
    const id = await kept();
    const who = signedInAs(person, ctx.now());
    const cookies: [string, string][] = [["__Host-hld", id ?? ""]];
    const answers = [() => Promise.reject(new Error("KV is away")), () => new Promise<never>(() => undefined)];
    ctx.cookiesSet.length = 0;
    const { setTimeout: timer } = globalThis;
    vi.stubGlobal("setTimeout", (fire: () => void, length = 0) => timer(fire, length / 100));
    await Promise.all(
      answers.flatMap((answer) => {
        const away = { ...browser({ cookies }), kv: new Proxy(ctx.kv, { get: () => answer }) };
        return [
          expect(findUnsentForm(away, who)).resolves.toEqual({ state: "unreadable" }),
          expect(loadUnsentPage(away, who)).rejects.toMatchObject({ status: 503 }),
        ];
      }),
    ).finally(() => vi.unstubAllGlobals());
    expect(ctx.cookiesSet).toEqual([]);
    expect((await loadUnsentPage(browser({ cookies }), who)).fields[0]).toMatchObject({ value: "The lab is slow." });
  });

  test("of another shape than ours is not taken for one", async () => {
    const id = newToken();
    const other = { userId: person.id, fields: "?" };
    await keepSessionData(ctx, sessionDataKey("unsent", hashToken(id)), other, minutes(30));
    expect(await look(id)).toEqual({ state: "lost" });
  });
});
