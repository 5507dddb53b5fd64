import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { withProduct } from "../../../scripts/lib/running-product.mjs";
import { tryToSignIn } from "../../support/browser-accounts";
import { expect, test } from "../../support/browser-test";
import { DEMO_PASSWORD } from "../../support/demo-world";

test("npm start makes the demo world, serves it where it says, and its people can sign in", async ({ browser }) => {
  const state = mkdtempSync(path.join(tmpdir(), "wrenfield-start-"));
  await withProduct({ STATE_DIR: state, SEED: "demo", LIVE_MAX_SOCKETS: "" }, async (origin: string) => {
    const page = await browser.newPage({ baseURL: origin, javaScriptEnabled: false });
    await tryToSignIn(page, "owner@brightsmile.example", DEMO_PASSWORD);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Welcome back to Brightsmile Dental");
  });
});
