import { expectAccessible, loggedErrorsOf } from "../../support/accessible-page";
import { expect, type Page, test } from "../../support/browser-test";

const PAGES = [
  "/",
  "/services",
  "/services/managed-it",
  "/services/cloud",
  "/industries",
  "/industries/learning",
  "/industries/farming",
  "/why-us",
  "/pricing",
  "/pricing?plan=premium&users=9999&lab=4&webServices=on",
  "/contact?plan=core&users=12&lab=4&secureStorage=on",
  "/privacy",
  "/terms",
];

test("the public pages pass axe, scroll only downwards at every size and log no error", async ({ page }) => {
  const loggedErrors = loggedErrorsOf(page);
  for (const path of PAGES) {
    await page.goto(path);
    await expectAccessible(page, path);
    expect(loggedErrors, path).toEqual([]);
  }
});

test("the open menu of a phone can be used by everyone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/why-us");
  await page.getByRole("button", { name: "Menu" }).click();
  await expectAccessible(page, "open menu");
});

const users = (page: Page) => page.getByLabel("Full-time users", { exact: true });
const total = (page: Page) => page.locator("output");

test("the total follows every change, and so do the address and the links", async ({ page }) => {
  const loggedErrors = loggedErrorsOf(page);
  await page.goto("/pricing");
  await expect(page.getByRole("button", { name: "Update estimate" })).toBeHidden();
  await users(page).fill("12");
  await expect(total(page)).toHaveText("$1,788.00");
  await page.getByRole("slider", { name: "Lab or shared computers, slider" }).fill("4");
  await expect(page.getByLabel("Lab or shared computers", { exact: true })).toHaveValue("4");
  await page.getByRole("checkbox", { name: /Secure storage/ }).check();
  await expect(total(page)).toHaveText("$2,096.60");
  await expect(page.getByText("Secure storage").last()).toBeVisible();
  await expect(page).toHaveURL(/\/pricing\?plan=core&users=12&lab=4&secureStorage=on$/);
  await page.reload();
  await expect(total(page)).toHaveText("$2,096.60");
  await page.getByRole("radio", { name: /Basic/ }).check();
  await expect(page.getByText("Each is about $28 (35% of $79) a month on this plan.")).toBeVisible();
  await page.getByRole("link", { name: "Get Started with Core" }).click();
  await expect(page).toHaveURL(/\/contact\?plan=core&users=12&lab=4&secureStorage=on$/);
  expect(loggedErrors).toEqual([]);
});

test("slider and number are one value, which is corrected when it is finished", async ({ page }) => {
  await page.goto("/pricing");
  const slider = page.getByRole("slider", { name: "Full-time users, slider" });
  await users(page).fill("30");
  await expect(slider).toHaveValue("30");
  await slider.press("ArrowRight");
  await expect(users(page)).toHaveValue("31");
  await users(page).fill("9999");
  await expect(total(page)).toHaveText("$7,450.00");
  await users(page).press("Tab");
  await expect(users(page)).toHaveValue("50");
  await expect(page.getByText("More than 50 people?")).toBeVisible();
});

test("99 users are answered beside the field, and an emptied field asks", async ({ page }) => {
  await page.goto("/pricing");
  await users(page).fill("99");
  const tooMany = page.getByText("50 is the most: we count 50.");
  await expect(tooMany).toBeVisible();
  await users(page).press("Tab");
  await expect(tooMany).toBeVisible();
  await users(page).fill("12");
  await expect(tooMany).toHaveCount(0);
  await users(page).fill("");
  await users(page).press("Tab");
  await expect(users(page)).toHaveValue("");
  await expect(users(page)).toHaveAccessibleDescription(/Enter a number from 1 to 50\. Until then we count 5\./);
  await expect(total(page)).toHaveText("$745.00");
});

test("choosing Premium takes out what it contains, and says so", async ({ page }) => {
  await page.goto("/pricing?plan=core&users=1&webServices=on&secureStorage=on");
  const included = page.getByText("Included", { exact: true });
  await expect(included).toHaveCount(0);
  await page.getByRole("radio", { name: /Premium/ }).check();
  await expect(page.getByRole("checkbox", { name: /Web services/ })).not.toBeChecked();
  await expect(page.getByRole("checkbox", { name: /Secure storage/ })).toBeChecked();
  await expect(included).toHaveCount(3);
  await expect(page.getByRole("checkbox", { name: /Web services/ })).toBeDisabled();
  await expect(total(page)).toHaveText("$329.00");
  await page.getByRole("radio", { name: /Basic/ }).check();
  await expect(page.getByRole("checkbox", { name: /Web services/ })).toBeEnabled();
  await expect(included).toHaveCount(0);
});

test("the page's script and the server add up to the same, also where neither was asked for it before", async ({
  page,
  request,
}) => {
  await page.goto("/pricing");
  for (const [plan, count, lab, ticked] of [
    ["basic", 1, 1, []],
    ["basic", 7, 30, [0, 4]],
    ["core", 50, 0, [3]],
    ["core", 23, 17, [0, 1, 2, 3, 4]],
    ["premium", 2, 29, [4]],
    ["premium", 50, 30, [3, 4]],
  ] as const) {
    await page.locator(`input[name="plan"][value="${plan}"]`).check();
    await users(page).fill(String(count));
    await page.getByLabel("Lab or shared computers", { exact: true }).fill(String(lab));
    const boxes = page.getByRole("checkbox");
    for (const [index, box] of (await boxes.all()).entries()) {
      if (await box.isDisabled()) continue;
      await box.setChecked((ticked as readonly number[]).includes(index));
    }
    const flags = await page
      .getByRole("checkbox", { checked: true })
      .evaluateAll((boxes) => boxes.map((box) => `&${(box as HTMLInputElement).name}=on`));
    expect(flags).toHaveLength(ticked.length);
    const choice = `plan=${plan}&users=${count}&lab=${lab}${flags.join("")}`;
    const html = await (await request.get(`/pricing?${choice}`)).text();
    const told = /<output[^>]*>([^<]+)</.exec(html)?.[1] ?? "";
    expect(told, choice).toMatch(/^\$[\d,]+\.\d\d$/);
    await expect(total(page), choice).toHaveText(told);
  }
});

test("the mark of a campaign outlives a change of the estimate", async ({ page }) => {
  await page.goto("/pricing?utm_source=newsletter&utm_campaign=autumn");
  await users(page).fill("9");
  await expect(page).toHaveURL(/\?plan=core&users=9&lab=0&utm_source=newsletter&utm_campaign=autumn$/);
  await page.getByRole("link", { name: "Get Started with Core" }).click();
  await expect(page).toHaveURL(/\/contact\?plan=core&users=9&lab=0$/);
  await expect(page.locator('input[name="source"]')).toHaveValue("newsletter");
});

test("a browser that goes back shows the total of the fields it kept", async ({ page }) => {
  await page.goto("/pricing");
  await users(page).fill("20");
  await page.goto("/why-us");
  await page.goBack();
  await expect(total(page)).toHaveText((await users(page).inputValue()) === "20" ? "$2,980.00" : "$745.00");
});

test("the button says that it is sending, and two presses send once", async ({ page }) => {
  await page.goto("/contact");
  let posts = 0;
  page.on("request", (request) => {
    if (request.method() === "POST") posts += 1;
  });
  // While the answer is under way the page cannot be looked at from outside; what it said is asked afterwards.
  await page.evaluate(() => {
    document.addEventListener("submit", ({ submitter }) =>
      sessionStorage.setItem("said", submitter?.textContent ?? ""),
    );
  });
  await page.getByRole("button", { name: "Send Message" }).dblclick();
  await expect(page).toHaveTitle(/^Error: /);
  expect(await page.evaluate(() => sessionStorage.getItem("said"))).toBe("Submitting...");
  expect(posts).toBe(1);
});

test("what is wrong with the form can be heard and followed", async ({ page }) => {
  await page.goto("/contact");
  await page.getByRole("button", { name: "Send Message" }).click();
  await expect(page).toHaveTitle(/^Error: /);
  await expect(page.locator("[data-error-summary]")).toBeFocused();
  await page.getByRole("link", { name: "Email is required" }).click();
  await expect(page.getByLabel("Email")).toBeFocused();
  await expect(page.getByText("Email", { exact: true }).first()).toBeInViewport();
});
