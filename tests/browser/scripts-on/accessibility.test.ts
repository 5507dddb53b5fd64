import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { signIn, staff } from "../../support/demo-world";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const SCHEMES = ["light", "dark"] as const;

/** No violation in either scheme at either size, and nothing that makes the page scroll sideways. */
async function expectAccessible(page: Page, name: string) {
  for (const viewport of SIZES) {
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`,
      );
      expect(found, `${name} at ${viewport.width} px, ${colorScheme}`).toEqual([]);
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(sideways, `${name} is wider than ${viewport.width} px`).toBeLessThanOrEqual(0);
    }
  }
}

/** What a page complains about in the console: script errors and violations of our own content policy among them. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of 40[0-9]/.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

for (const path of ["/contact", "/contact?sent=1", "/auth", "/no-such-page", "/dev/mail"]) {
  test(`${path} can be used by everyone and has nothing to complain about`, async ({ page }) => {
    const complaints = complaintsOf(page);
    await page.goto(path);
    await expectAccessible(page, path);
    expect(complaints).toEqual([]);
  });
}

test("a refused contact form can be used by everyone", async ({ page }) => {
  await page.goto("/contact");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page).toHaveTitle(/^Error: /);
  await expectAccessible(page, "refused contact form");
});

test("the back office can be used by everyone and has nothing to complain about", async ({ page }) => {
  const complaints = complaintsOf(page);
  await signIn(page, staff.technician);
  for (const path of ["/admin", "/admin/submissions", "/admin/submissions?status=new", "/admin/notifications"]) {
    await page.goto(path);
    await expectAccessible(page, path);
  }
  await page.goto("/admin/submissions");
  await page.getByRole("rowheader").first().getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Message" })).toBeVisible();
  await expectAccessible(page, "one submission");
  expect(complaints).toEqual([]);
});

test("the contact form can be filled in and sent with the keyboard alone", async ({ page }) => {
  await page.goto("/contact");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to main content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await expect(page.getByLabel("First name")).toBeFocused();
  for (const text of ["Kim", "Keys", `keys${Date.now()}@larkspur.example`, "", "", "No mouse here."]) {
    await page.keyboard.type(text, { delay: 30 });
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Tab");
  await expect(page.getByLabel(/I agree/)).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Send Message" })).toBeFocused();
  await page.waitForTimeout(1_000);
  await page.keyboard.press("Enter");
  await expect(page.getByText("Message Sent!")).toBeVisible();
});
