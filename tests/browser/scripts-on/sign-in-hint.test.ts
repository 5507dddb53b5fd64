import { expect, test } from "../../support/browser-test";

test("the line under the address says which area it leads to, after a pause and without asking anyone", async ({
  page,
}) => {
  await page.goto("/auth");
  await expect(page.getByText("Admin accounts require multi-factor authentication.")).toBeVisible();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByLabel("Email").pressSequentially("dana@wrenfield.example");
  await expect(page.getByText("Admin portal access detected - Enhanced security required")).toBeVisible();
  await page.getByLabel("Email").fill("dana@larkspur.example");
  await expect(page.getByText("Client portal access")).toBeVisible();
  expect(asked).toEqual([]);
  await page.goto("/login#access_token=x&type=recovery");
  await expect(page).toHaveURL("/login?mode=update");
  await expect(page.getByText("This link is no longer valid. Ask for a new one.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Send reset email" })).toBeVisible();
});
