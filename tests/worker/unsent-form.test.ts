import { expect, test } from "vitest";
import { hours } from "~/lib/time";
import { hashPassword, hashToken, newToken } from "~/platform/crypto.server";
import { builtWorker } from "../support/built-worker";
import { testSecrets } from "../support/test-variables.mjs";

const ORIGIN = "http://localhost:8787";
const PASSWORD = "Correct!Horse7battery";

const server = builtWorker();

/** Creates a client with a session and returns their browser. */
async function signedInBrowser() {
  const { db } = server;
  const [id, sessionId, now] = [`usr_${newToken().slice(0, 8)}`, newToken(), Date.now()];
  const email = `${id.toLowerCase().replace(/[^a-z0-9]/g, "")}@clinic.example`;
  await db.batch([
    db
      .prepare(
        "INSERT INTO users(id, email, full_name, password_hash, status, created_at, updated_at) VALUES (?, ?, 'Priya', ?, 'active', ?, ?)",
      )
      .bind(id, email, hashPassword(testSecrets.PASSWORD_PEPPER_1, PASSWORD), now, now),
    sessionStatement(id, sessionId),
  ]);
  return browserOf({ id, email, sessionId });
}

/** Returns the statement that stores a session of a client. */
function sessionStatement(id: string, sessionId: string) {
  const now = Date.now();
  return server.db
    .prepare(
      `INSERT INTO sessions(id_hash, user_id, epoch, aal, created_at, last_seen_at, idle_expires_at, abs_expires_at, reauth_at, ip_prefix)
         VALUES (?1, ?2, 0, 1, ?3, ?3, ?4, ?4, ?3, '203.0.113.0')`,
    )
    .bind(hashToken(sessionId), id, now, now + hours(1));
}

/** Returns a browser of a client that keeps cookies. */
function browserOf({ id, email, sessionId }: { id: string; email: string; sessionId: string }) {
  const { db } = server;
  const cookies = new Map([["__Host-sid", sessionId]]);
  async function visit(path: string, fields?: Record<string, string>) {
    const response = await server.fetch(ORIGIN + path, {
      redirect: "manual",
      headers: {
        Cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
        ...(fields ? { Origin: ORIGIN, "Content-Type": "application/x-www-form-urlencoded" } : {}),
      },
      ...(fields ? { method: "POST", body: new URLSearchParams(fields).toString() } : {}),
    });
    for (const header of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      if (/Max-Age=0(;|$)/.test(header)) cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get("Location");
    return { status: response.status, location, body: await response.text() };
  }
  const expire = () => db.prepare("UPDATE sessions SET idle_expires_at = 1 WHERE user_id = ?").bind(id).run();
  const name = () => db.prepare("SELECT full_name FROM users WHERE id = ?").bind(id).first<string>("full_name");
  return { id, email, cookies, visit, expire, name };
}

/** Returns the value of the first field with a name in a page. */
const valueOf = (html: string, name: string) =>
  new RegExp(`<input[^>]*name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? "";

const profileToken = async ({ visit }: Awaited<ReturnType<typeof signedInBrowser>>) =>
  valueOf((await visit("/profile")).body.split('id="details"')[1] ?? "", "form_token");

/** Returns a browser whose session ends while a new name is typed, and the fields that it then sends. */
async function typingWhenSessionEnds(full_name: string) {
  const browser = await signedInBrowser();
  const form_token = await profileToken(browser);
  await browser.expire();
  return { browser, typed: { form_token, intent: "details", full_name, email: browser.email } };
}

test("a form sent after the session has ended is shown again after the sign-in, and can then be sent", async () => {
  const { browser, typed } = await typingWhenSessionEnds("Priya <Raman>");
  const signInPage = await browser.visit("/profile", typed);
  expect(signInPage.status).toBe(401);
  expect(signInPage.body).toContain("what you typed is still there");
  expect(signInPage.body).not.toContain("Raman");
  expect(await browser.name()).toBe("Priya");

  const token = valueOf(signInPage.body, "form_token");
  const credentials = { form_token: token, intent: "sign-in", email: browser.email, password: PASSWORD };
  const signedIn = await browser.visit("/auth?redirectTo=%2Fprofile", credentials);
  expect([signedIn.status, signedIn.location]).toEqual([303, "/profile/unsent?redirectTo=%2Fprofile"]);

  const page = await browser.visit(signedIn.location ?? "");
  const fields = Object.fromEntries(
    ["form_token", "unsent_token", "intent", "email"].map((name) => [
      name,
      valueOf(page.body.split('action="/profile/unsent')[1] ?? "", name),
    ]),
  );
  expect(page.body).toContain('value="Priya &lt;Raman&gt;"');
  expect(await browser.name()).toBe("Priya");

  const form = { ...fields, full_name: "Priya Raman", unsent: "send" };
  const sent = await browser.visit("/profile/unsent", form);
  expect([sent.status, sent.location]).toEqual([307, "/profile"]);
  expect((await browser.visit("/profile", form)).status).toBe(303);
  expect(await browser.name()).toBe("Priya Raman");

  // The unsent form can be sent only once.
  const again = await browser.visit("/profile/unsent", form);
  expect([again.status, again.location]).toEqual([303, "/profile"]);
});

test("a form posted by scripts is stored too, and gets a plain 401 response", async () => {
  const { browser, typed } = await typingWhenSessionEnds("Typed");
  const response = await browser.visit("/profile?index&_data=routes%2F_account.profile._index", typed);
  expect(response.status).toBe(401);
  expect(browser.cookies.has("__Host-hld")).toBe(true);
});

test("what is typed on one device while its owner signs out everywhere on another is still there", async () => {
  const browser = await signedInBrowser();
  const sessionId = newToken();
  await sessionStatement(browser.id, sessionId).run();
  const phone = browserOf({ ...browser, sessionId });
  const typed = { form_token: await profileToken(phone), intent: "details", full_name: "Typed", email: browser.email };
  const { body } = await browser.visit("/profile/sessions");
  const form_token = valueOf(body.split('action="/profile/sessions')[1] ?? "", "form_token");
  expect((await browser.visit("/profile/sessions", { form_token, intent: "end-all" })).status).toBe(303);
  const signInPage = await phone.visit("/profile", typed);
  expect([signInPage.status, phone.cookies.has("__Host-hld")]).toEqual([401, true]);
  expect(signInPage.body).toContain("what you typed is still there");
  // The browser in which it was done is told to forget who used it, as after every sign-out.
  expect(browser.cookies.has("__Host-sid")).toBe(false);
});

test("an unsent form is not shown or sent before the sign-in, or without the token of its page", async () => {
  const browser = await signedInBrowser();
  const form_token = await profileToken(browser);
  await browser.expire();
  const signInPage = await browser.visit("/profile", { form_token, full_name: "Typed", email: browser.email });
  expect((await browser.visit("/profile/unsent")).status).toBe(302);
  expect((await browser.visit("/profile/unsent", { unsent: "send" })).status).toBe(401);
  const token = valueOf(signInPage.body, "form_token");
  await browser.visit("/auth", { form_token: token, intent: "sign-in", email: browser.email, password: PASSWORD });
  const forged = await browser.visit("/profile/unsent", { unsent: "send", unsent_token: form_token });
  expect([forged.status, forged.location]).toEqual([303, "/profile/unsent"]);

  const unsent_token = valueOf((await browser.visit("/profile/unsent")).body, "unsent_token");
  const kept = browser.cookies.get("__Host-hld");
  const discarded = await browser.visit("/profile/unsent", { unsent: "discard", unsent_token });
  expect([discarded.status, discarded.location]).toEqual([303, "/profile"]);
  browser.cookies.set("__Host-hld", kept ?? "");
  expect((await browser.visit("/profile/unsent")).status).toBe(303);
  expect(await browser.name()).toBe("Priya");
});
