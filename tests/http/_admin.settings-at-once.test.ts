import { afterEach, expect, test } from "vitest";
import { settings } from "~/db/schema/site";
import { effectiveBrand } from "~/features/settings/queries.server";
import { seconds } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { action } from "~/routes/_admin.admin.settings";
import { flash } from "../support/admin-area";
import { type TestContext, testContext } from "../support/context";
import { interruptedBeforeCommit } from "../support/interrupted-commit";
import { args, post } from "../support/requests";
import { saveSetting, settingsForm } from "../support/settings";

afterEach(async () => {
  await testContext().db.delete(settings);
});

test("hours that were saved while somebody wrote on the brand are not put back by its form", async () => {
  const { send, shown } = await settingsForm("company");
  const before = await shown();
  await saveSetting("hours", { hours_wednesday: "08:00-12:00" });
  const late = await send({ ...before, phone: "(212) 555-0199" });
  const { stored } = await late.json();
  expect([late.status, stored?.map(({ label }) => label)]).toEqual([409, ["Phone", "Business hours"]]);
  expect((await send({ phone: "(212) 555-0199" })).status).toBe(303);
  const ctx = await saveSetting("hours", { hours_wednesday: "" });
  expect((await effectiveBrand(ctx)).hours).toBe("Monday-Tuesday 8am-6pm, Thursday-Friday 8am-6pm");
});

test("a retention that takes effect later is not said to count from now on", async () => {
  const { ctx, base, path, shown } = await settingsForm("retention", "data");
  const save = async (retention_days: string) => {
    const form_token = issueFormToken(ctx, "settings-retention");
    const fields = { ...(await shown()), intent: "retention", retention_days, decision: "delete-0", form_token };
    await action(args(ctx, post(path, fields)));
    return flash(base);
  };
  expect(await save("3000")).toBe("Settings Saved: They count from now on.");
  expect(await save("30")).toMatch(/^Settings Saved: Until .+ the former rule counts: it is 3,000 days\.$/);
});

test("a setting that keeps when it was saved is saved once, and said to be, where its form arrives twice at once", async () => {
  const { ctx, base, path, shown } = await settingsForm("retention", "data");
  const fields = { ...(await shown()), intent: "retention", retention_days: "3000", decision: "delete-0" };
  const request = { ...fields, form_token: issueFormToken(ctx, "settings-retention") };
  const save = (context: TestContext) => action(args(context, post(path, request)));
  const racing = interruptedBeforeCommit(ctx, async () => {
    base.clock.advance(seconds(1));
    expect((await save(ctx)).status).toBe(303);
  });
  expect((await save(racing)).status).toBe(303);
  expect(await shown()).toMatchObject({ retention_days: "3000", version: "1" });
});
