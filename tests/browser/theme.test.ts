import { enterPortal } from "../support/browser-accounts";
import { expect, type Page, test } from "../support/browser-test";

const DARK = "rgb(9, 21, 24)";
const LIGHT = "rgb(241, 246, 247)";

/** Expects the background of the page in sRGB. Waits for it: an address is known before its style sheet has arrived. */
const expectPage = (page: Page, color: string) =>
  expect(async () => expect(await background(page), page.url()).toBe(color)).toPass();

const background = (page: Page) =>
  page.evaluate(() => {
    const context = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
    context.fillStyle = getComputedStyle(document.body).backgroundColor;
    context.fillRect(0, 0, 1, 1);
    return `rgb(${[...context.getImageData(0, 0, 1, 1).data].slice(0, 3).join(", ")})`;
  });

const choice = (page: Page, name: string) => page.getByRole("contentinfo").getByRole("button", { name, exact: true });

test("a chosen theme lasts: over reloads, on every page, signed in or not, until the system's is chosen again", async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  await expectPage(page, LIGHT);
  await expect(choice(page, "System")).toHaveAttribute("aria-pressed", "true");

  await choice(page, "Dark").click();
  await expect(page).toHaveURL(/\/#footer-theme$/);
  await expect(choice(page, "Dark")).toBeInViewport();
  await expect(choice(page, "Dark")).toHaveAttribute("aria-pressed", "true");
  await expect(choice(page, "System")).toHaveAttribute("aria-pressed", "false");
  await expectPage(page, DARK);
  await page.reload();
  await expectPage(page, DARK);
  await page.getByRole("contentinfo").getByRole("link", { name: "Pricing" }).click();
  await expect(page).toHaveURL(/\/pricing$/);
  await expectPage(page, DARK);
  for (const path of ["/contact", "/client/auth", "/nothing-here", "/logout", "/auth"]) {
    await page.goto(path);
    await expectPage(page, DARK);
  }
  await enterPortal(page, "owner@littleoaks.example", "/client");
  await expect(page).toHaveURL(/\/client$/);
  await expectPage(page, DARK);

  await page.goto("/profile");
  await expectPage(page, DARK);
  await page.getByRole("combobox", { name: "Theme" }).selectOption("Light");
  await page.getByRole("button", { name: "Save theme" }).click();
  await expect(page).toHaveURL(/\/profile#theme$/);
  await expect(page.getByRole("heading", { name: "Theme" })).toBeInViewport();
  await expect(page.getByRole("combobox", { name: "Theme" })).toHaveValue("light");
  await page.emulateMedia({ colorScheme: "dark" });
  await expectPage(page, LIGHT);
  await page.goto("/client");
  await expectPage(page, LIGHT);

  await page.goto("/why-us");
  await expectPage(page, LIGHT);
  await choice(page, "System").click();
  await expectPage(page, DARK);
  await page.emulateMedia({ colorScheme: "light" });
  await expectPage(page, LIGHT);
});

test("paper is light whatever was chosen", async ({ page }) => {
  await page.goto("/pricing");
  await choice(page, "Dark").click();
  await expectPage(page, DARK);
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expectPage(page, "rgb(255, 255, 255)");
  const ink = await page.locator("h1").evaluate((heading) => getComputedStyle(heading).color);
  await page.emulateMedia({ media: "screen" });
  await expect(page.locator("h1")).not.toHaveCSS("color", ink);
});
