import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext } from "@playwright/test";
import { TOTP } from "otpauth";
import { sendForm } from "./browser-forms";
import { expect, isHydrated, openAdmin, type Page, test } from "./browser-test";

/** Loads the demo world as people sign in to it: `scripts/lib/demo-world`. */
export const DEMO_PASSWORD = "Demo!Pass2026";

export const staff = {
  admin: { email: "admin@wrenfield.example", secret: "KRSXG5CTMVRXEZLUKRSXG5CTMVRXEZLU" },
  secondAdmin: { email: "second.admin@wrenfield.example", secret: "MFRGGZDFMZTWQ2LKMFRGGZDFMZTWQ2LK" },
  technician: { email: "tech@wrenfield.example", secret: "NB2W45DFOIZA2IDGN52W4ZDJNZTSA2LO" },
} as const;

const STEP = 30_000;

/** Returns where the used steps of a server are kept: the runner replaces its workers, and their servers stay. */
function usedStepsFile(): string {
  const { state } = JSON.parse(process.env.BROWSER_TESTS ?? "{}") as { state: string };
  return join(state, `used-steps-${process.env.TEST_PARALLEL_INDEX}.json`);
}

function readUsedSteps(): Record<string, number> {
  const file = usedStepsFile();
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, number>) : {};
}

/** Returns an unused code: the product rejects a step it has seen, so a second sign-in waits for the next. */
async function freshCode(secret: string): Promise<string> {
  const usedSteps = readUsedSteps();
  const used = usedSteps[secret];
  // One step of clock difference is accepted, so the step after the current one is available at once.
  let step = Math.floor(Date.now() / STEP);
  if (used !== undefined && step <= used) step = used + 1;
  const wait = (step - 1) * STEP - Date.now();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait + 200));
  writeFileSync(usedStepsFile(), JSON.stringify({ ...usedSteps, [secret]: step }));
  return new TOTP({ secret }).generate({ timestamp: step * STEP });
}

type Staff = { email: string; secret: string };

/** Signs in with password and code, and ends on the page asked for. For tests of that, and for some that end it. */
export async function signInByForm(page: Page, person: Staff, path = "/admin/submissions") {
  await page.goto(path);
  await expect(page).toHaveURL(/\/auth\?redirectTo=/);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByLabel("Verification code")).toBeVisible();
  // With scripts, the sixth digit sends the form: they must have come.
  await page.waitForLoadState();
  await page.getByLabel("Verification code").fill(await freshCode(person.secret));
  if (test.info().project.use.javaScriptEnabled === false) {
    await page.getByRole("button", { name: "Verify Code" }).click();
  }
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await isHydrated(page);
}

type OpenSession = { since: number; cookies: Awaited<ReturnType<BrowserContext["cookies"]>> };

/** Keeps the sessions that stay open. Each worker of the runner has its own server and sessions. */
const openSessions = new Map<string, OpenSession>();

/** Limits how old a session may be: some forms want a proof of identity from the last ten minutes. */
const SESSION_LIFETIME = 5 * 60_000;

/**
 * Signs in and opens nothing: with the session that this person has, or with a new one if it is old. What asks for a
 * fresh proof of identity takes it, whichever tests ran before and however long they took.
 */
export async function startStaffSession(page: Page, person: Staff) {
  const session = openSessions.get(person.email);
  if (session && Date.now() - session.since <= SESSION_LIFETIME) await page.context().addCookies(session.cookies);
  else {
    const since = Date.now();
    await sendForm(page, "/auth", { intent: "sign-in", email: person.email, password: DEMO_PASSWORD });
    await sendForm(page, "/auth", { intent: "verify-code", code: await freshCode(person.secret) });
    openSessions.set(person.email, { since, cookies: await sessionCookies(page) });
  }
}

/** Ends on the page asked for, signed in. */
export async function signIn(page: Page, person: Staff, path = "/admin/submissions") {
  await startStaffSession(page, person);
  await openAdmin(page, path);
  await expect(page).toHaveURL((url) => url.pathname + url.search === path);
}

const sessionCookies = async (page: Page) =>
  (await page.context().cookies()).filter(({ name }) => name === "__Host-sid");

type Mail = { to: string; subject: string; text: string; html: string; status: string };

/**
 * Reads the captured mails to an address, newest first. Delivery happens after the response, so this waits for `count`.
 */
export async function mailsTo(page: Page, address: string, count = 1): Promise<Mail[]> {
  let mails: Mail[] = [];
  await expect
    .poll(async () => {
      const response = await page.request.get(`/dev/mail.json?to=${encodeURIComponent(address)}`);
      mails = (await response.json()) as Mail[];
      return mails.length;
    })
    .toBeGreaterThanOrEqual(count);
  return mails;
}

/** Does what the platform does each minute, mails that wait included, and comes back when it is done. */
export async function runSchedule(page: Page) {
  expect((await page.request.get("/cdn-cgi/local/scheduled?cron=*+*+*+*+*")).status()).toBe(200);
}
