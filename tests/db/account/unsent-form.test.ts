import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { sessions, unsentForms } from "~/db/schema/sessions";
import { findUnsentForm, storeUnsentForm } from "~/features/account/unsent-form.server";
import { minutes } from "~/lib/time";
import type { Ctx, SignedIn } from "~/platform/context.server";
import { newToken } from "~/platform/crypto.server";
import { issueFormToken } from "~/platform/form-token.server";
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

const tokenOf = (session: SignedIn | null) => issueFormToken(derive(ctx, { signedIn: session }), "ticket-reply");
const typed = () => ({ form_token: tokenOf(signedIn), message: "The lab is slow.", version: "3" });
const rows = () => ctx.db.select().from(unsentForms).where(eq(unsentForms.user_id, person.id));

/** Returns the unsent form for a request with this cookie. */
const waiting = (id: string | null, who: Person = person) =>
  findUnsentForm(browser({ cookies: id ? [["__Host-hld", id]] : [] }), signedInAs(who, ctx.now()));

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
  const [row] = await rows();
  expect(JSON.stringify(row)).not.toMatch(/lab|T-1001/);
  expect(JSON.stringify(row)).not.toContain(id);
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
      () => [
        browser(),
        new Request("http://localhost:8787/", {
          method: "POST",
          headers: { "Content-Type": "multipart/form-data; boundary=x" },
          body: "nothing",
        }),
      ],
    ],
  ];
  test.each(cases)("%s", async (_, given) => {
    const [context, request] = given();
    expect(await storeUnsentForm(context, request)).toBeNull();
    expect(await rows()).toEqual([]);
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
    const id = await storeUnsentForm(browser(), post(PATH, typed()));
    expect(await waiting(id, await makePerson(ctx))).toBeNull();
    expect(await waiting(null)).toBeNull();
    expect(await waiting(newToken())).toBeNull();
    ctx.clock.advance(minutes(30) - 1);
    expect(await waiting(id)).not.toBeNull();
    ctx.clock.advance(1);
    expect(await waiting(id)).toBeNull();
  });

  test("is replaced by the next one: a person has at most one", async () => {
    const first = await storeUnsentForm(browser(), post(PATH, typed()));
    const second = await storeUnsentForm(browser(), post(PATH, { ...typed(), message: "It is still slow." }));
    expect(await waiting(first)).toBeNull();
    expect((await waiting(second))?.fields[0]).toEqual(["message", "It is still slow."]);
    expect(await rows()).toHaveLength(1);
  });

  test("cannot be opened in another person's row", async () => {
    const thief = await makePerson(ctx);
    const id = await storeUnsentForm(browser(), post(PATH, typed()));
    await ctx.db.update(unsentForms).set({ user_id: thief.id }).where(eq(unsentForms.user_id, person.id));
    await expect(waiting(id, thief)).rejects.toThrow();
  });
});
