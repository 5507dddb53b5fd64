import { expect, type Page, type Request, test } from "../../support/browser-test";
import { fillInContactForm } from "../../support/contact-form";
import { DEMO_PASSWORD as PASSWORD, staff } from "../../support/demo-world";

const NOT_SAVED = "Not saved. Check your connection and try again.";

/** Lets posts fail in one way until the returned function is called. */
async function failPosts(page: Page, failure: number | "network") {
  await page.route("**/*", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    if (failure === "network") return route.abort("connectionreset");
    return route.fulfill({ status: failure, contentType: "text/html", body: failure === 502 ? "" : "<h1>Bad</h1>" });
  });
  return () => page.unroute("**/*");
}

const alertIn = (page: Page) => page.getByRole("alert").filter({ hasText: NOT_SAVED });

test("a contact form that no answer of ours comes to stays as it was typed, and is sent again", async ({ page }) => {
  await fillInContactForm(page, { first: "Ines", last: "Okafor", email: "ines@larkspur.example" });
  let button = page.getByRole("button", { name: "Send Message" });
  for (const failure of ["network", 500, 502, 503] as const) {
    const mend = await failPosts(page, failure);
    const isPost = (request: Request) => request.method() === "POST";
    const over =
      failure === "network" ? page.waitForEvent("requestfailed", isPost) : page.waitForEvent("requestfinished", isPost);
    await button.click();
    // The alert of the failure before is still there.
    await over;
    await expect(alertIn(page), `${failure}`).toBeVisible();
    await expect(page.getByLabel("First name")).toHaveValue("Ines");
    await expect(page).toHaveURL(/\/contact$/);
    await mend();
    button = alertIn(page).getByRole("button", { name: "Retry" });
  }
  await button.click();
  await expect(page.getByText("Message Sent!")).toBeVisible();
});

test("a sign-in that meets no server keeps the address and the password", async ({ page }) => {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(staff.admin.email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  const mend = await failPosts(page, "network");
  await page.getByRole("button", { name: /^Sign in$/i }).click();
  await expect(alertIn(page)).toBeVisible();
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue(PASSWORD);
  await mend();
  await alertIn(page).getByRole("button", { name: "Retry" }).click();
  await expect(page.getByLabel("Verification code")).toBeVisible();
});

test("a form that comes back with errors keeps the chosen file, and its errors have the focus", async ({ page }) => {
  await page.goto("/contact");
  await page.getByLabel("First name").fill("Ines");
  await page
    .getByLabel(/Attachment/)
    .setInputFiles({ name: "plan.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n%%EOF") });
  await page.getByRole("button", { name: "Send Message" }).click();
  const summary = page.locator("[data-error-summary]");
  await expect(summary).toBeFocused();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByLabel("First name")).toHaveValue("Ines");
  expect(await page.getByLabel(/Attachment/).evaluate((input: HTMLInputElement) => input.files?.[0]?.name)).toBe(
    "plan.pdf",
  );
  await expect(page.getByText("Word document")).toBeVisible();
  await expect(page.getByText("Choose the file again"), "what is chosen still").toHaveCount(0);
  // The styles of the answer are in place of those of the page: the summary has its frame.
  await expect(summary).not.toHaveCSS("border-top-style", "none");
});

test("a wrong password counts once and leads to the right one", async ({ page }) => {
  await page.goto("/auth");
  await page.getByLabel("Email").fill(staff.admin.email);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
  await page.getByRole("button", { name: /^Sign in$/i }).click();
  await expect(page.getByText("Invalid email or password").first()).toBeVisible();
  expect(posts).toHaveLength(1);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Show" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: /^Sign in$/i }).click();
  await expect(page.getByLabel("Verification code")).toBeVisible();
});
