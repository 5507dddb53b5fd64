import { expect, isHydrated, type Page, test } from "../../support/browser-test";
import { signIn, staff } from "../../support/demo-world";

/** Opens the first record of a list, with its scripts. */
async function openFirst(page: Page, list: string) {
  await signIn(page, staff.admin, list);
  await page.getByRole("rowheader").first().getByRole("link").first().click();
  await expect(page).not.toHaveURL(new RegExp(`${list}$`));
  await isHydrated(page);
}

test("the buttons that add and save a note wait until it has words", async ({ page }) => {
  await openFirst(page, "/admin/submissions");
  await page.getByRole("link", { name: "Internal note" }).click();
  const note = page.getByLabel("Internal note", { exact: true });
  const add = page.getByRole("button", { name: "Add internal note" });
  await expect(add).toBeDisabled();
  await note.fill("   ");
  await expect(add).toBeDisabled();
  await note.fill("Wants to be called");
  await expect(add).toBeEnabled();
  await add.click();
  await expect(page.getByText("Note Added")).toBeVisible();
  await expect(add).toBeDisabled();

  await page
    .getByRole("link", { name: /^Edit note of/ })
    .last()
    .click();
  const save = page.getByRole("button", { name: "Save", exact: true });
  const text = page.getByLabel("Note", { exact: true });
  await expect(save).toBeEnabled();
  await text.fill("");
  await expect(save).toBeDisabled();
  await text.fill("Wants to be called on Monday");
  await expect(save).toBeEnabled();

  await openFirst(page, "/admin/organizations");
  await expect(page.getByRole("button", { name: "Add internal note" })).toBeDisabled();
});
