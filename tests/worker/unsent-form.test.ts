import { expect, test } from "vitest";
import { hashPassword } from "~/platform/crypto.server";
import { builtWorker, runAll } from "../support/built-worker";
import { type Account, accountOf, sessionOf } from "../support/raw-session";
import { testSecrets } from "../support/test-variables.mjs";

const ORIGIN = "http://localhost:8787";
const PASSWORD = "Correct!Horse7battery";

const server = builtWorker();

const passwordHash = hashPassword(testSecrets.PASSWORD_PEPPER_1, PASSWORD);

/** Creates a client with a session and returns their browser. */
async function signedInBrowser() {
  const account = accountOf({ hasFactor: false, passwordHash });
  await runAll(server.db, account.statements);
  return browserOf(account);
}

/** Returns a browser of a client that keeps cookies. */
function browserOf({ id, email, session }: Pick<Account, "id" | "email" | "session">) {
  const { db } = server;
  const cookies = new Map([session.cookie.split("=") as [string, string]]);
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
  const { browser, typed } = await typingWhenSessionEnds("Priya <Amari>");
  const signInPage = await browser.visit("/profile", typed);
  expect(signInPage.status).toBe(401);
  expect(signInPage.body).toContain("what you typed is still there");
  expect(signInPage.body).not.toContain("Amari");
  expect(await browser.name()).toBe("Priya Raman");

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
  expect(page.body).toContain('value="Priya &lt;Amari&gt;"');
  expect(await browser.name()).toBe("Priya Raman");

  const form = { ...fields, full_name: "Priya Lane", unsent: "send" };
  const sent = await browser.visit("/profile/unsent", form);
  expect([sent.status, sent.location]).toEqual([307, "/profile"]);
  expect((await browser.visit("/profile", form)).status).toBe(303);
  expect(await browser.name()).toBe("Priya Lane");

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
  const { statement, session } = sessionOf(browser.id, 1);
  await runAll(server.db, [statement]);
  const phone = browserOf({ ...browser, session });
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
  expect(await browser.name()).toBe("Priya Raman");
});
