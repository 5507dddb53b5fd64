import { expect, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

test("a page that cannot be fetched says why, inside its area, and Retry opens it", async ({ page }) => {
  await signIn(page, staff.technician, "/admin/letters");
  await page.route(/[?&]_data=/, (route) => route.abort());
  await page.getByRole("link", { name: "Analytics" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "This page could not be loaded" })).toBeVisible();
  await expect(page.getByText("Check your connection and try again.")).toBeVisible();
  await expect(page.getByRole("link", { name: "Letters" })).toBeVisible();
  await page.unroute(/[?&]_data=/);
  await page.getByRole("main").getByRole("link", { name: "Retry" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Analytics" })).toBeVisible();
});

test("a page whose server fails says that it is our fault, and nothing of a connection", async ({ page }) => {
  await signIn(page, staff.technician, "/admin/letters");
  const headers = { "X-Remix-Error": "yes" };
  const failing = { status: 500, headers, json: { message: "Unexpected Server Error" } };
  await page.route(/[?&]_data=/, (route) => route.fulfill(failing));
  await page.getByRole("link", { name: "Analytics" }).click();
  const title = "Something went wrong on our side";
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
  await expect(page.getByText("Check your connection")).toHaveCount(0);
});

test.describe("with an empty cache", () => {
  test.use({ ownBrowser: true });

  test("while a link is pointed at, the scripts of its page are fetched, and opening it needs no more", async ({
    page,
  }) => {
    await signIn(page, staff.technician, "/admin");
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Network.enable");
    const fetched = new Map<string, string>();
    const finished = new Set<string>();
    devtools.on("Network.responseReceived", ({ requestId, response: { url, fromDiskCache } }) => {
      if (/\/build\/.+\.js$/.test(url) && !fromDiskCache) fetched.set(requestId, url);
    });
    devtools.on("Network.loadingFinished", ({ requestId }) => finished.add(requestId));
    const link = page.getByRole("link", { name: "Organizations", exact: true });
    await link.hover();
    await expect.poll(() => [...fetched.values()].join(" ")).toContain("organizations._index");
    await expect.poll(() => [...fetched.keys()].every((id) => finished.has(id))).toBe(true);
    const before = fetched.size;
    expect(before).toBeGreaterThan(1);
    await link.click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Organizations");
    expect([...fetched.values()].slice(before)).toEqual([]);
  });
});
