import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { withProduct } from "../../../scripts/lib/running-product.mjs";
import { tryToSignIn } from "../../support/browser-accounts";
import { expect, test } from "../../support/browser-test";
import { DEMO_PASSWORD } from "../../support/demo-world";

test("npm start makes the demo world, serves it where it says with its files, and its people can sign in", async ({
  browser,
}) => {
  const state = mkdtempSync(path.join(tmpdir(), "wrenfield-start-"));
  try {
    await withProduct({ STATE_DIR: state, SEED: "demo", LIVE_MAX_SOCKETS: "" }, async (origin: string) => {
      const page = await browser.newPage({ baseURL: origin, javaScriptEnabled: false });
      const answers = new Map<string, number>();
      page.on("response", (response) => answers.set(new URL(response.url()).pathname, response.status()));
      // The schedule brings what the demo company says about itself to its pages, which keep what they had for a while.
      await expect(async () => {
        await page.goto("/why-us");
        await expect(page.getByText("Robin Ashdown").first()).toBeVisible({ timeout: 1_000 });
      }).toPass({ timeout: 90_000 });
      await tryToSignIn(page, "owner@brightsmile.example", DEMO_PASSWORD);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome back to Brightsmile Dental");
      await page.waitForLoadState();
      expect([...answers].filter(([, status]) => status >= 400)).toEqual([]);
      expect([...answers.keys()].filter((file) => /^\/build\/.+\.css$/.test(file))).not.toEqual([]);
    });
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});
