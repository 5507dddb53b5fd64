import { expect, type Page, type Route, test, type WebSocketRoute } from "../../support/browser-test";
import { postContactForm } from "../../support/contact-form";
import { signIn, staff } from "../../support/demo-world";

// Two of them stop the clock of their browser.
test.use({ ownBrowser: true });

/** Returns the connection between a page and the hub, which can be cut and restored. */
async function cuttableLine(page: Page) {
  let isCut = false;
  let current: WebSocketRoute | null = null;
  await page.routeWebSocket(/\/admin\/live$/, (socket) => {
    current = socket;
    if (isCut) void socket.close({ code: 1011 });
    else socket.connectToServer();
  });
  return {
    cut: async () => {
      isCut = true;
      await current?.close({ code: 1012 });
    },
    mend: () => {
      isCut = false;
    },
  };
}

test("an open screen keeps itself fresh, says when it cannot, and catches up by itself", async ({ page, request }) => {
  const mark = `Live${Date.now() % 1_000_000}`;
  const panel = page.getByRole("region", { name: "Live updates" });
  const entry = (name: string) => panel.getByRole("link", { name: `New submission from ${name} Raman` });
  const line = await cuttableLine(page);
  await signIn(page, staff.technician);
  await expect(panel.getByRole("button", { name: "Pause live updates" })).toBeVisible();
  await expect(panel.getByText("Live updates paused")).toBeHidden();

  await test.step("an event is shown and read", async () => {
    await postContactForm(request, `${mark}a`);
    await expect(entry(`${mark}a`)).toHaveCount(1);
    await expect(page.getByRole("rowheader", { name: `${mark}a` })).toBeVisible();
  });

  await test.step("a lost connection is shown, and what was missed is delivered once", async () => {
    await line.cut();
    await expect(panel.getByText("Live updates paused")).toBeVisible();
    await expect(panel.getByRole("link", { name: "Refresh" })).toBeVisible();
    await postContactForm(request, `${mark}b`);
    await expect(entry(`${mark}b`)).toHaveCount(0);
    line.mend();
    await expect(entry(`${mark}b`)).toHaveCount(1, { timeout: 90_000 });
    await expect(page.getByRole("rowheader", { name: `${mark}b` })).toBeVisible();
    await expect(panel.getByText("Live updates paused")).toBeHidden();
  });

  await test.step("a pause lasts, also over a reload, until the person ends it", async () => {
    await panel.getByRole("button", { name: "Pause live updates" }).click();
    await page.reload();
    await expect(panel.getByText("Live updates paused")).toBeVisible();
    await postContactForm(request, `${mark}c`);
    await expect(entry(`${mark}c`)).toHaveCount(0);
    await panel.getByRole("button", { name: "Resume live updates" }).click();
    await expect(entry(`${mark}c`)).toHaveCount(1);
    await expect(panel.getByText("Live updates paused")).toBeHidden();
  });

  await test.step("what was seen can be dismissed, one by one or all at once, for good", async () => {
    await panel.getByRole("button", { name: `Dismiss: New submission from ${mark}c Raman` }).click();
    await expect(entry(`${mark}c`)).toHaveCount(0);
    await expect(entry(`${mark}b`)).toHaveCount(1);
    await panel.getByRole("button", { name: "Dismiss all" }).click();
    await expect(panel.getByText("Nothing new since you opened this page.")).toBeVisible();
    await page.reload();
    await expect(panel.getByRole("button", { name: "Pause live updates" })).toBeVisible();
    await expect(panel.getByText("Nothing new since you opened this page.")).toBeVisible();
  });
});

test("the message about something new leaves by itself, not from under the pointer, when it is closed, and when its page is opened", async ({
  page,
  request,
}) => {
  await page.clock.install();
  await signIn(page, staff.technician);
  await expect(page.getByRole("button", { name: "Pause live updates" })).toBeVisible();
  const toast = page.getByRole("status").filter({ hasText: "New Submission" });
  const first = `Toast${Date.now() % 1_000_000}`;
  // However long the steps of this test take, for the page it is as long as the test says.
  await page.clock.pauseAt(Date.now() + 60_000);

  await postContactForm(request, `${first}a`);
  await expect(toast).toContainText(`${first}a Raman`);
  // The column of the navigation is as high as a small screen allows, and shows both.
  await expect(toast).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("navigation", { name: "Admin" }).getByRole("link").last()).toBeInViewport({ ratio: 1 });
  const covered = await toast.evaluate((region) => {
    const { x, y, right, bottom } = region.getBoundingClientRect();
    const controls = [...document.querySelectorAll("a, button, input, select, textarea, summary")];
    return controls.filter((control) => {
      const box = control.getBoundingClientRect();
      const overlaps = box.width > 0 && box.x < right && box.right > x && box.y < bottom && box.bottom > y;
      return overlaps && !region.contains(control);
    }).length;
  });
  expect(covered).toBe(0);
  await toast.getByText(`${first}a Raman`).hover();
  await page.clock.fastForward(60_000);
  await expect(toast).toBeVisible();
  await page.getByRole("heading", { level: 1 }).hover();
  await expect(async () => {
    await page.clock.fastForward(9_000);
    await expect(toast).toBeHidden({ timeout: 1_000 });
  }).toPass();

  await postContactForm(request, `${first}b`);
  await expect(toast).toContainText(`${first}b Raman`);
  await page.getByRole("button", { name: "Close: New Submission" }).click();
  await expect(toast).toBeHidden();

  await postContactForm(request, `${first}c`);
  await toast.getByRole("link", { name: `${first}c Raman` }).hover();
  await page.clock.resume();
  await toast.getByRole("link", { name: `${first}c Raman` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(`${first}c`);
  await expect(toast).toBeHidden();
});

test("a page that cannot be read again keeps what is on it, says so, and catches up by itself", async ({
  page,
  request,
}) => {
  const mark = `Stale${Date.now() % 1_000_000}`;
  const panel = page.getByRole("region", { name: "Live updates" });
  await page.clock.install();
  await signIn(page, staff.technician);
  await expect(panel.getByRole("button", { name: "Pause live updates" })).toBeVisible();
  const search = page.getByRole("searchbox");
  await search.fill("half a na");

  for (const fail of [
    (route: Route) => route.abort(),
    (route: Route) => route.fulfill({ status: 503, body: "" }),
    (route: Route) => route.fulfill({ status: 200, contentType: "text/html", body: "<h1>Sign in to the hotel</h1>" }),
  ]) {
    await page.route(/[?&]_data=/, fail);
    await postContactForm(request, `${mark}a`);
    await expect(panel.getByText("Live updates paused")).toBeVisible();
    await expect(search).toHaveValue("half a na");
    await expect(page.getByRole("heading", { name: "All Submissions" })).toBeVisible();
    await page.unroute(/[?&]_data=/);
    await expect(async () => {
      // The page waits a while before it tries again.
      await page.clock.fastForward(5_000);
      await expect(panel.getByText("Live updates paused")).toBeHidden({ timeout: 2_000 });
    }).toPass();
    await expect(page.getByRole("rowheader", { name: `${mark}a` }).first()).toBeVisible();
    await expect(search).toHaveValue("half a na");
  }

  // The layout was read at the address of the list.
  await page
    .getByRole("rowheader", { name: `${mark}a` })
    .first()
    .getByRole("link")
    .click();
  const message = page.getByLabel(/^Message to/);
  await message.fill("Monday at ni");
  await expect(panel.getByRole("button", { name: "Pause live updates" })).toBeVisible();
  await page.route(/[?&]_data=/, (route) => route.fulfill({ status: 503, body: "" }));
  await postContactForm(request, `${mark}b`);
  await expect(panel.getByText("Live updates paused")).toBeVisible();
  await expect(message).toHaveValue("Monday at ni");
});

test("the frame around own settings keeps itself fresh too, and leaves what is typed alone", async ({
  page,
  request,
}) => {
  const mark = `Live${Date.now() % 1_000_000}`;
  await signIn(page, staff.technician, "/admin/tickets");
  await page.getByRole("button", { name: /^Account: / }).click();
  await page.getByRole("link", { name: "Profile Settings" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Personal Settings" })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name: "Tickets" })).toBeVisible();
  await page.getByRole("link", { name: "See your sessions" }).click();
  await page.goBack();
  await page.getByLabel("Full name").fill("Half of a name");
  await postContactForm(request, mark);
  const panel = page.getByRole("region", { name: "Live updates" });
  await expect(panel.getByRole("link", { name: `New submission from ${mark} Raman` })).toBeVisible();
  await expect(page.getByLabel("Full name")).toHaveValue("Half of a name");
  await panel.getByRole("button", { name: `Dismiss: New submission from ${mark} Raman` }).click();
  await expect(panel.getByRole("link", { name: `New submission from ${mark} Raman` })).toHaveCount(0);
  await expect(page).toHaveURL(/\/profile$/);
});
