import { eq, sql } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { auditEvents } from "~/db/schema/audit";
import { settings } from "~/db/schema/site";
import type { GroupId } from "~/features/settings/model";
import { GROUPS } from "~/features/settings-management/groups.server";
import { GROUP_IDS, GROUP_TABS } from "~/features/settings-management/model";
import { isMultiline, type ValidationError } from "~/lib/form";
import { issueFormToken } from "~/platform/form-token.server";
import { action } from "~/routes/_admin.admin.settings";
import { args } from "../support/requests";
import { settingsForm } from "../support/settings";

type Change = {
  accepted: Record<string, string>;
  /** Says what is asked before this change is saved. */
  decision?: string;
  rejected: [Record<string, string>, string[]][];
};

/** Holds for each group a change that is accepted, one that is not, and the fields that then say why. */
const CHANGES: Record<GroupId, Change> = {
  company: {
    accepted: { max_submissions_per_day: "7" },
    rejected: [
      [{ site_name: "", max_submissions_per_day: "0" }, ["max_submissions_per_day", "site_name"]],
      [{ max_submissions_per_day: "10001" }, ["max_submissions_per_day"]],
      [{ max_submissions_per_day: "１００" }, ["max_submissions_per_day"]],
      [{ admin_email: "nobody", auto_assign_status: "closed" }, ["admin_email", "auto_assign_status"]],
      [{ site_description: "x".repeat(301) }, ["site_description"]],
      [{ phone: "call us", email: "" }, ["phone", "email"]],
    ],
  },
  look: {
    accepted: { brand_color: "#7a1fa2" },
    rejected: [
      [{ brand_color: "purple" }, ["brand_color"]],
      [{ brand_color: "#12345" }, ["brand_color"]],
    ],
  },
  tickets: {
    accepted: { close_after: "9" },
    rejected: [
      [{ remind_after: "91" }, ["remind_after"]],
      [{ announce_after: "7", close_after: "7" }, ["announce_after"]],
      [{ close_after: "a week" }, ["close_after"]],
    ],
  },
  hours: {
    accepted: { hours_saturday: "09:00-12:30" },
    rejected: [
      [{ time_zone: "Mars/Olympus" }, ["time_zone"]],
      [{ hours_monday: "08:00-12:00, 11:00-18:00" }, ["hours_monday"]],
      [{ hours_monday: "18:00-08:00", hours_tuesday: "always" }, ["hours_monday", "hours_tuesday"]],
      [{ hours_friday: "08:00-24:30", holidays: "12-25" }, ["hours_friday", "holidays"]],
      [{ holidays: "02-30 No such day" }, ["holidays"]],
      [{ holidays: "12-25 Christmas\n12-25 Again" }, ["holidays"]],
      [
        Object.fromEntries(["monday", "tuesday", "wednesday", "thursday", "friday"].map((day) => [`hours_${day}`, ""])),
        ["hours_monday"],
      ],
    ],
  },
  promises: {
    accepted: { reply_low: "3 business days" },
    rejected: [
      [
        { reply_urgent: "soon", reply_high: "0 hours", reply_low: "31 business days" },
        ["reply_high", "reply_low", "reply_urgent"],
      ],
      [{ resolve_urgent: "8 hours", resolve_low: "soon" }, ["resolve_low"]],
      [{ resolve_urgent: "8 hours", resolve_high: "2 working days" }, ["resolve_low", "resolve_medium"]],
    ],
  },
  "sign-in": {
    accepted: { staff_idle: "10" },
    rejected: [
      [{ staff_idle: "31", client_days: "0" }, ["client_days", "staff_idle"]],
      [{ company_domain: "not a domain" }, ["company_domain"]],
    ],
  },
  terms: {
    accepted: { body: "Our terms.\n\n## Who\n\nYou and us." },
    rejected: [[{ body: "Our terms, without a section." }, ["body"]]],
  },
  privacy: {
    accepted: { body: "What we keep.\n\n## What\n\n- Your name\n- Your address" },
    rejected: [
      [{ body: "## Empty\n\n## Also empty" }, ["body"]],
      [{ body: `## Long\n\n${"x".repeat(30_001)}` }, ["body"]],
    ],
  },
  prices: {
    accepted: { plan_core: "159.50" },
    rejected: [
      [{ plan_core: "79.995" }, ["plan_core"]],
      [{ plan_basic: "", addon_secureStorage: "-5" }, ["addon_secureStorage", "plan_basic"]],
      [{ plan_premium: "0", onboarding_rate: "ninety" }, ["onboarding_rate", "plan_premium"]],
      [{ plan_basic: "100000.01" }, ["plan_basic"]],
    ],
  },
  retention: {
    accepted: { retention_days: "400" },
    decision: "delete-0",
    rejected: [
      [{ retention_days: "29" }, ["retention_days"]],
      [{ retention_days: "3651" }, ["retention_days"]],
      [{ retention_days: "a year" }, ["retention_days"]],
    ],
  },
  "sign-up": {
    accepted: { sign_up_policy: "invite_only" },
    rejected: [[{ sign_up_policy: "closed" }, ["sign_up_policy"]]],
  },
  mail: {
    accepted: { enable_notifications: "" },
    rejected: [[{ enable_notifications: "perhaps" }, ["enable_notifications"]]],
  },
};

const rowsNow = async () => {
  const { ctx } = await settingsForm("company");
  return ctx.db.select({ key: settings.key, value: settings.value_json }).from(settings);
};

afterEach(async () => {
  const { ctx } = await settingsForm("company");
  await ctx.db.delete(settings);
});

describe.each(GROUP_IDS)("the settings %s", (id) => {
  const { accepted, rejected, decision = "" } = CHANGES[id];

  test("are saved with who did it, and what was before and after; saved again, they are as they were", async () => {
    const { ctx, person, read, send, path } = await settingsForm(id, GROUP_TABS[id]);
    const answer = await send({ ...accepted, decision });
    expect([answer.status, answer.headers.get("Location")]).toEqual([303, path]);
    expect(await read()).toMatchObject({
      values: accepted,
      lastChange: { at: ctx.now(), by: person.fullName },
    });
    const events = await ctx.db.select().from(auditEvents).where(eq(auditEvents.actor_id, person.id));
    expect(events).toMatchObject([{ subject_type: "settings", subject_id: id }]);
    const { before, after, changed } = JSON.parse(events[0]?.meta_json ?? "{}");
    expect(Object.keys(before)).toEqual(Object.keys(after));
    expect(changed).toHaveLength(1);
    expect((await send({ ...accepted, decision })).status).toBe(303);
    expect(await ctx.db.$count(auditEvents, eq(auditEvents.actor_id, person.id))).toBe(1);
  });

  test("that do not fit are rejected by the field, and kept as they were typed", async () => {
    const { send } = await settingsForm(id, GROUP_TABS[id]);
    for (const [changes, fields] of rejected) {
      const answer = await send(changes);
      const { title, errors, values } = await answer.json();
      const found = [answer.status, title, Object.keys(errors).sort()];
      expect(found, JSON.stringify(changes)).toEqual([400, "Error", ["form", ...fields].sort()]);
      expect(errors.form).toBe("Failed to save settings");
      // What the schema's library says by itself names neither the field nor what would be right.
      expect(Object.values(errors)).not.toContain("Invalid input");
      expect(values).toMatchObject(changes);
    }
    expect(await rowsNow()).toEqual([]);
  });

  test("of an older version are not saved; what was typed stays beside what is stored now", async () => {
    const { shown, send } = await settingsForm(id, GROUP_TABS[id]);
    const before = await shown();
    expect((await send({ ...accepted, decision })).status).toBe(303);
    const stored = await rowsNow();
    const late = await send({ ...before, decision });
    const { errors, values, stored: now } = await late.json();
    expect([late.status, errors.form]).toEqual([409, expect.stringMatching(/^Someone else has saved/)]);
    expect(now).toHaveLength(1);
    const { version, ...typed } = before;
    expect(values).toMatchObject(typed);
    expect(Number(values.version)).toBeGreaterThan(Number(version));
    expect(await rowsNow()).toEqual(stored);
  });
});

test("every text area of the settings keeps its line breaks", () => {
  const areas = Object.values(GROUPS).flatMap(({ fields }) => fields.filter(({ kind }) => kind === "area"));
  expect(areas.length).toBeGreaterThan(0);
  expect(areas.filter(({ name }) => !isMultiline(name))).toEqual([]);
});

test("whoever is no administrator any more when it is saved, saves nothing", async () => {
  const { ctx, person, send, shown } = await settingsForm("company");
  const fields = await shown();
  await ctx.db.run(sql`UPDATE user_roles SET role = 'moderator' WHERE user_id = ${person.id}`);
  expect((await send({ ...fields, max_submissions_per_day: "7" })).status).toBe(409);
  expect(await rowsNow()).toEqual([]);
});

describe("the form of the hours as a browser sends it", () => {
  /** Sends several controls of one name, as check boxes and times are. */
  async function sendFields(fields: [string, string][]) {
    const { ctx, path, shown } = await settingsForm("hours");
    const { version = "", time_zone = "" } = await shown();
    const form_token = issueFormToken(ctx, "settings-hours");
    const all = [
      ["intent", "hours"],
      ["form_token", form_token],
      ["version", version],
      ["time_zone", time_zone],
      ...fields,
    ];
    const body = new URLSearchParams(all as [string, string][]);
    return action(args(ctx, new Request(`http://localhost:8787${path}`, { method: "POST", body })));
  }
  const monday = (...times: string[]) => times.map((time): [string, string] => ["hours_monday", time]);
  const holidays = (count: number) =>
    Array.from({ length: count }, (_, index): [string, string] => [
      "holidays",
      `2027-${String(1 + Math.floor(index / 28)).padStart(2, "0")}-${String(1 + (index % 28)).padStart(2, "0")} Day ${index}`,
    ]);

  test("takes times in pairs, an end at midnight, and as many days off as there may be, before its other fields", async () => {
    const days = [...holidays(60), ["holidays", ""]];
    const fields = [...monday("08:00", "12:00", "13:00", "00:00", "", ""), ...days, ["country", "us"]];
    expect((await sendFields(fields as [string, string][])).status).toBe(303);
    const { shown } = await settingsForm("hours");
    const { hours_monday, hours_tuesday, holidays: stored } = await shown();
    expect([hours_monday, hours_tuesday]).toEqual(["08:00-12:00, 13:00-24:00", ""]);
    expect(stored?.split("\n")).toHaveLength(60);
  });

  test("says what is wrong with half a time and with too many days off", async () => {
    const answer = await sendFields([...monday("08:00", ""), ...holidays(61)]);
    const { errors } = (await answer.json()) as unknown as ValidationError;
    expect(errors).toMatchObject({
      hours_monday: "Monday: Give both times, from and until",
      holidays: "At most 60 days off",
    });
  });

  test("adds the holidays of a country and a year to those that are there, and copies a day, and saves nothing", async () => {
    const day: [string, string] = ["holidays", "12-25 Our own Christmas"];
    const filled = async (fields: [string, string][]) =>
      (await (await sendFields(fields)).json()) as unknown as ValidationError & { filled: string };
    const added = await filled([
      ["fill", "days"],
      ["country", "us"],
      ["year", "2026"],
      ...monday("09:00", "17:00"),
      day,
    ]);
    expect(added.values.holidays?.split("\n")).toHaveLength(11);
    expect(added.values.holidays).toContain("2026-11-26 Thanksgiving");
    expect(added.values.holidays).not.toContain("2026-12-25");
    expect(added.filled).toBeTruthy();
    const copied = await filled([["fill", "copy"], ...monday("09:00", "17:00")]);
    expect(copied.values.hours_friday).toBe("09:00\n17:00");
    const { shown } = await settingsForm("hours");
    expect((await shown()).hours_friday).not.toContain("09:00");
  });

  test("shows a color before it is saved", async () => {
    const { send, shown } = await settingsForm("look");
    const before = await shown();
    const answer = (await (await send({ fill: "#7a2048" })).json()) as unknown as ValidationError & {
      preview: { alt: string };
    };
    expect([answer.values.brand_color, answer.preview.alt]).toEqual(["#7a2048", expect.stringContaining("#7a2048")]);
    expect(await shown()).toEqual(before);
  });
});
