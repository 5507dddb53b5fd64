import { expectAccessible, expectNoSidewaysScroll, loggedErrorsOf } from "../../support/accessible-page";
import { enterPortal, freshEmail, inviteToTeam, openLink, startSession, workIn } from "../../support/browser-accounts";
import { expect, openPortal, type Page, test } from "../../support/browser-test";

test("the portal passes axe, scrolls only downwards at every size and logs no error", async ({ page }) => {
  const loggedErrors = loggedErrorsOf(page);
  await startSession(page, "owner@brightsmile.example");
  for (const path of ["/client", "/client/team", "/client/team/invite", "/client/organization"]) {
    await openPortal(page, path);
    await expectAccessible(page, path);
  }
  await page.getByRole("link", { name: "Transfer ownership" }).click();
  await expect(page.getByLabel("New owner")).toBeVisible();
  await expectAccessible(page, "transfer of the ownership");
  expect(loggedErrors).toEqual([]);
});

test("on narrow phones all links of the portal stand in one row, as tall as a finger needs them", async ({ page }) => {
  await startSession(page, "owner@brightsmile.example");
  for (const path of ["/client", "/client/organization"]) {
    await openPortal(page, path);
    const links = page.getByRole("navigation", { name: "Portal" }).getByRole("link");
    await expect(links).toHaveCount(5);
    for (const width of [320, 351, 352, 375, 390]) {
      await page.setViewportSize({ width, height: 700 });
      const boxes = await links.evaluateAll((all) =>
        all.map((link) => [Math.round(link.getBoundingClientRect().y), link.clientHeight] as const),
      );
      expect(new Set(boxes.map(([y]) => y)).size, `${path} at ${width} px`).toBe(1);
      expect(Math.min(...boxes.map(([, height]) => height))).toBeGreaterThanOrEqual(44);
      await expectNoSidewaysScroll(page, path);
    }
  }
});

test("with text of double size the portal's dashboard stays on the page", async ({ page }) => {
  await enterPortal(page, "owner@harborhouse.example", "/client");
  await page.locator("html").evaluate((html) => {
    html.style.fontSize = "200%";
  });
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    await expectNoSidewaysScroll(page, "the dashboard with text of double size");
  }
});

test("the page of an invitation can be used by everyone, whatever it says", async ({ page, browser }) => {
  const stranger = freshEmail("axe");
  const colleague = "member@brightsmile.example";
  const second = await (await browser.newContext()).newPage();
  const expectCard = async (on: Page, title: string) => {
    await expect(on.getByRole("heading", { level: 1 })).toHaveText(title);
    await expectAccessible(on, title);
  };
  await startSession(page, "owner@harborhouse.example");
  await workIn(page, "Harbor House Counseling");
  await inviteToTeam(page, stranger, colleague);

  await second.goto("/invite");
  await expectCard(second, "Open the link in your mail");
  await openLink(page, stranger, "You're invited to join");
  await expectCard(page, "This invitation is for someone else");
  await openLink(second, stranger, "You're invited to join");
  await expect(second.getByLabel("Confirm Password")).toBeVisible();
  await expectCard(second, "You're invited");
  await second.getByRole("link", { name: "Not me, remove this invitation" }).click();
  await expectCard(second, "Remove this invitation?");
  await second.getByRole("button", { name: "Not me" }).click();
  await expectCard(second, "Invitation removed");
  await openLink(second, stranger, "You're invited to join");
  await expectCard(second, "There is no such invitation");
  await openLink(second, colleague, "You're invited to join");
  await expect(second.getByText("There is an account with this address.")).toBeVisible();
  await expectCard(second, "You're invited");
  await startSession(second, colleague);
  await openLink(second, colleague, "You're invited to join");
  await expect(second.getByRole("button", { name: "Accept invitation" })).toBeVisible();
  await expectCard(second, "You're invited");
});
