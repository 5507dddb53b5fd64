import { seconds } from "~/lib/time";
import type { Ctx } from "~/platform/context.server";
import { newToken } from "~/platform/crypto.server";
import { issueFormToken } from "~/platform/form-token.server";
import { localSecrets } from "../../scripts/lib/local-secrets.mjs";
import { type APIRequestContext, expect, type Page, test } from "./browser-test";

/** Returns a token as old as if a person had filled the form in: a post sooner than that is a robot's. */
function agedToken(): string {
  const { FORM_KEY_1 } = localSecrets() as { FORM_KEY_1: string };
  const issuer = { config: { FORM_KEY_1 }, newToken, now: () => Date.now() - seconds(3), signedIn: null };
  return issueFormToken(issuer as unknown as Ctx, "contact");
}

/** Gives the contact form on a page such a token. */
export async function ageContactForm(page: Page) {
  const token = page.locator('form:has([name="first_name"]) [name="form_token"]');
  await token.evaluate((field, aged) => {
    (field as HTMLInputElement).value = aged;
  }, agedToken());
}

/** Sends the contact form as a visitor without drawing it, for tests of what others see then. */
export async function postContactForm(request: APIRequestContext, firstName: string) {
  const { origin } = new URL(test.info().project.use.baseURL ?? "");
  const answer = await request.post("/contact", {
    headers: { Origin: origin },
    multipart: {
      form_token: agedToken(),
      first_name: firstName,
      last_name: "Raman",
      email: `${firstName.toLowerCase()}@larkspur.example`,
      message: "The lab is slow.",
      agreed_to_terms: "on",
      // What a person never sees.
      website: "",
    },
    maxRedirects: 0,
  });
  expect(answer.status(), await answer.text()).toBe(303);
}

type Visitor = { first: string; last: string; email: string; message?: string; path?: string };

/** Opens the form and fills it in, ready to be sent. */
export async function fillInContactForm(page: Page, visitor: Visitor) {
  const { first, last, email, message = "The lab is slow.", path = "/contact" } = visitor;
  await page.goto(path);
  await ageContactForm(page);
  await page.getByLabel("First name").fill(first);
  await page.getByLabel("Last name").fill(last);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Message").fill(message);
  await page.getByLabel(/I agree/).check();
}

export async function sendContactForm(page: Page) {
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page.getByText("Message Sent!")).toBeVisible();
}
