import { expectNoSidewaysScroll, loggedErrorsOf } from "../../support/accessible-page";
import { expect, test } from "../../support/browser-test";
import { ageContactForm, sendContactForm } from "../../support/contact-form";
import { pathsOfSitemap } from "../../support/sitemap";

/** Lists widths from the narrowest phone, which is also 400 % zoom of a wide screen, to a wide screen. */
const WIDTHS = [320, 390, 768, 1440];

test("every page of the sitemap is there, fits every width, and logs no error", async ({ page }) => {
  const loggedErrors = loggedErrorsOf(page);
  const paths = await pathsOfSitemap(page);
  expect(paths.length).toBeGreaterThanOrEqual(20);
  for (const path of paths) {
    expect((await page.goto(path))?.status(), path).toBe(200);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page, path);
    }
  }
  expect(loggedErrors).toEqual([]);
});

test("an address that leads nowhere is named, cut when it is long, and the page leads on", async ({ page }) => {
  expect((await page.goto("/old/price-list"))?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "Page Not Found" })).toBeVisible();
  await expect(page.getByText("There's nothing at /old/price-list. It may have moved.")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Pricing" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Transparent Pricing" })).toBeVisible();

  await page.setViewportSize({ width: 320, height: 800 });
  await page.goto(`/${"far".repeat(300)}`);
  await expectNoSidewaysScroll(page, "an address of 900 letters");
  await page.getByRole("link", { name: "Return to Home" }).click();
  await expect(page).toHaveURL(/\/$/);
});

test("a visitor finds a service, an industry and the prices from Home", async ({ page }) => {
  await page.goto("/");
  await expect(page).toHaveTitle("Wrenfield: IT for clinics, non-profits and learning centers");
  await page.getByRole("link", { name: "Learn More" }).click();
  await expect(page).toHaveURL(/\/#services$/);
  await page.getByRole("main").getByRole("link", { name: "Cloud & remote work" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Cloud & remote work" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Remote teams" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Remote teams" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Healthcare" }).click();
  await page.getByRole("link", { name: "Get a Free IT Assessment" }).click();
  await expect(page).toHaveURL(/\/contact$/);
  await page.goBack();
  await page.getByRole("link", { name: "Pricing" }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "Transparent Pricing" })).toBeVisible();
});

test("an unknown service or industry says so and leads on", async ({ page }) => {
  expect((await page.goto("/services/cloud"))?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1, name: "Service Not Found" })).toBeVisible();
  await page.getByRole("link", { name: "Did you mean Cloud & Remote Work?" }).click();
  await expect(page).toHaveURL(/\/services\/cloud-solutions$/);
  expect((await page.goto("/industries/farming"))?.status()).toBe(404);
  await page.getByRole("link", { name: "All industries" }).click();
  await expect(page).toHaveURL(/\/industries$/);
});

test("an estimate can be shared as a link and goes with the submission", async ({ page }) => {
  await page.goto("/pricing?plan=core&users=12&lab=4&secureStorage=on");
  await expect(page.locator("output")).toHaveText("$2,096.60");
  await expect(page.getByText("12 × $149")).toBeVisible();
  await expect(page.getByText("4 × about $52 (35% of $149)")).toBeVisible();
  await page.getByRole("link", { name: "Schedule Your Free Assessment" }).first().click();
  await expect(page).toHaveURL(/\/contact\?plan=core&users=12&lab=4&secureStorage=on$/);
  await expect(page.getByRole("heading", { name: "Your estimate" })).toBeVisible();
  await expect(page.getByText("$2,096.60")).toBeVisible();

  // A rejected form keeps it; what was corrected is sent with it.
  await page.getByLabel("First name").fill("Esti");
  await page.getByLabel("Last name").fill("Mate");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.getByText("$2,096.60")).toBeVisible();
  await page.getByLabel("Email").fill(`estimate${Date.now()}@larkspur.example`);
  await page.getByLabel(/I agree/).check();
  await ageContactForm(page);
  await sendContactForm(page);
});

test("each plan's button leads to the form with that plan", async ({ page }) => {
  await page.goto("/pricing");
  await page.getByRole("link", { name: "Get Started with Premium" }).click();
  await expect(page.getByText("Premium plan")).toBeVisible();
  await expect(page.getByText("$1,145.00").first()).toBeVisible();
  await page.getByRole("link", { name: "leave it out" }).click();
  await expect(page).toHaveURL(/\/contact$/);
  await expect(page.getByRole("heading", { name: "Your estimate" })).toHaveCount(0);
});

test("the answers open and close without a script", async ({ page }) => {
  await page.goto("/pricing");
  const answer = page.getByText("At 35% of your plan’s per-user rate.");
  await expect(answer).toBeHidden();
  await page.getByText("How are lab or shared computers billed?").click();
  await expect(answer).toBeVisible();
});

test("on a phone the menu opens without a script", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/services");
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Why Choose Us" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Why Choose Us" })).toBeVisible();
});
