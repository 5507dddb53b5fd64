import { expect, test } from "../../support/browser-test";
import { pathsOfSitemap } from "../../support/sitemap";

test("no link of the public site leads nowhere", async ({ page }) => {
  const seen = new Set<string>();
  for (const path of await pathsOfSitemap(page)) {
    await page.goto(path);
    const links = await page.getByRole("link").evaluateAll((found) => found.map((link) => link.getAttribute("href")));
    for (const link of links) if (link?.startsWith("/")) seen.add(link.replace(/#.*/, ""));
    // A link inside the page leads to something that is in it.
    for (const link of links) if (link?.startsWith("#")) await expect(page.locator(link)).toHaveCount(1);
  }
  expect(seen).toContain("/auth");
  expect(seen).toContain("/client/auth");
  for (const link of seen) {
    const answer = await page.request.get(link, { maxRedirects: 0 });
    // Of a page that needs an account a visitor sees the way to the sign-in; every other page is there.
    if (/^\/(admin|client|profile)(?!\/auth)/.test(link)) {
      expect(answer.headers().location, link).toMatch(/^\/(client\/)?auth\?redirectTo=/);
    } else {
      expect(answer.status(), link).toBe(200);
    }
  }
});

test("each difference ends in a link to a paper that is there", async ({ page }) => {
  await page.goto("/why-us");
  const proofs = await page
    .getByRole("region", { name: "What is different" })
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  expect(proofs).toHaveLength(6);
  for (const proof of proofs) {
    await page.goto(new URL(proof, new URL("/why-us", page.url())).href);
    const id = proof.split("#")[1];
    if (id) await expect(page.locator(`#${id}`), proof).toBeVisible();
  }
});

test("the footer's lists are closed on a phone and open on a wide screen", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/terms");
  const footer = page.getByRole("contentinfo");
  await expect(footer.getByRole("link", { name: "Managed IT" })).toBeHidden();
  await footer.getByText("Services", { exact: true }).click();
  await expect(footer.getByRole("link", { name: "Managed IT" })).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 844 });
  await expect(footer.getByRole("link", { name: "Healthcare" })).toBeVisible();
});
