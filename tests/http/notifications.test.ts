import { eq, inArray } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { notificationPreferences, notifications } from "~/db/schema/notifications";
import { findSignedIn } from "~/features/auth/queries.server";
import { NOTIFICATIONS_PER_PAGE, type NotificationPage } from "~/features/notifications/model";
import { countUnread, listNotifications } from "~/features/notifications/queries.server";
import { issueFormToken } from "~/platform/form-token.server";
import { loader as preferences, action as savePreferences } from "~/routes/_account.profile.notifications";
import { action as markStaff, loader as staffPage } from "~/routes/_admin.admin.notifications";
import { loader as clientPage, action as markClient } from "~/routes/_portal.client.notifications";
import { flash } from "../support/admin-area";
import { derive, type TestContext, testContext } from "../support/context";
import { as, makeMember, makeOrganization, makePerson, makeSession, memberOf, type Person } from "../support/factories";
import { args, get, post } from "../support/requests";

let base: TestContext;
let person: Person;
let here: { id: string };
let there: { id: string };

beforeEach(async () => {
  base = testContext();
  person = await makePerson(base, { role: "admin" });
  [here, there] = [await makeOrganization(base), await makeOrganization(base, "Brightsmile")];
  for (const { id } of [here, there]) await makeMember(base, id, person, "member");
});

const client = () => derive(base, { signedIn: memberOf(base, person, here, "member") });
const staff = () => as(base, person);

async function tell(organizationId: string | null, label: string, to = person) {
  const [row] = await base.db
    .insert(notifications)
    .values({
      ...{ user_id: to.id, organization_id: organizationId, event: "staff_replied", label, at: base.now() },
      ...{ subject_type: "ticket", subject_id: "tkt_1" },
    })
    .returning({ seq: notifications.seq });
  return row?.seq ?? 0;
}

type Listed = NotificationPage["notifications"];
const ofClient = async (query = ""): Promise<Listed> => {
  const response = await clientPage(args(client(), get(`/client/notifications${query}`), {}));
  return ((await response.json()) as unknown as { list: NotificationPage }).list.notifications;
};
const ofStaff = async (): Promise<Listed> => {
  const response = await staffPage(args(staff(), get("/admin/notifications"), {}));
  return ((await response.json()) as unknown as { list: { own: NotificationPage } }).list.own.notifications;
};
const mark = (fields: Record<string, string>) => {
  const ctx = client();
  const form_token = issueFormToken(ctx, "notifications");
  return markClient(args(ctx, post("/client/notifications", { form_token, ...fields }), {}));
};
const unread = (organizationId: string | null) => countUnread(base.db, { userId: person.id, organizationId });

test("each list is of one organization or of staff, and never of somebody else", async () => {
  const other = await makePerson(base);
  await tell(here.id, "T-1 Here");
  await tell(there.id, "T-2 There");
  await tell(null, "T-3 Staff");
  await tell(here.id, "T-4 Other", other);
  expect((await ofClient()).map(({ text, href }) => [text, href])).toEqual([
    ["Support replied: T-1 Here", "/client/tickets/tkt_1"],
  ]);
  expect((await ofStaff()).map(({ text, href }) => [text, href])).toEqual([
    ["Support replied: T-3 Staff", "/admin/tickets/tkt_1"],
  ]);
  expect([await unread(here.id), await unread(there.id), await unread(null)]).toEqual([1, 1, 1]);
});

test("a page ends with the way to older ones, which go on without a gap, and the last page with none", async () => {
  const labels = Array.from({ length: NOTIFICATIONS_PER_PAGE + 1 }, (_, index) => `T-${index}`);
  for (const label of labels) await tell(here.id, label);
  const first = await ofClient();
  const second = await ofClient(`?before=${first.at(-1)?.seq}`);
  const told = [...first, ...second].map(({ text }) => text);
  expect(told).toEqual(labels.toReversed().map((label) => `Support replied: ${label}`));
  expect(first).toHaveLength(NOTIFICATIONS_PER_PAGE);
  const owner = { userId: person.id, organizationId: here.id };
  expect((await listNotifications(base, owner, first.at(-1)?.seq)).before).toBeNull();
});

test("nobody marks what is not theirs, or belongs to another organization", async () => {
  const other = await makePerson(base);
  const foreign = [await tell(here.id, "T-4 Other", other), await tell(there.id, "T-2 There"), await tell(null, "T-3")];
  for (const seq of foreign) await mark({ intent: "mark_read", seq: String(seq) });
  await mark({ intent: "mark_all_read", through: "999999999" });
  const read = base.db.select({ readAt: notifications.read_at }).from(notifications);
  expect(await read.where(inArray(notifications.seq, foreign))).toEqual(foreign.map(() => ({ readAt: null })));
  const forged = mark({ intent: "mark_read", seq: "1 OR 1" });
  await expect(forged).rejects.toMatchObject({ status: 400 });
});

test("marking all as read leaves what came after the page was shown", async () => {
  const first = await tell(here.id, "T-1");
  await tell(here.id, "T-2");
  const sent = await mark({ intent: "mark_all_read", through: String(first) });
  expect([sent.status, sent.headers.get("Location")]).toEqual([303, "/client/notifications"]);
  expect((await ofClient()).map(({ isRead }) => isRead)).toEqual([false, true]);
  expect(await unread(here.id)).toBe(1);
});

test("staff mark their own beside the live updates, which stay as they are", async () => {
  const seq = await tell(null, "T-3");
  const ctx = staff();
  const form_token = issueFormToken(ctx, "notifications");
  await markStaff(args(ctx, post("/admin/notifications", { intent: "mark_read", form_token, seq: String(seq) }), {}));
  expect((await ofStaff())[0]?.isRead).toBe(true);
});

test("counting stops at a hundred", async () => {
  for (let count = 0; count < 105; count += 1) await tell(here.id, `T-${count}`);
  expect(await unread(here.id)).toBe(100);
  Object.assign(base.cost, { rowsRead: 0 });
  await unread(here.id);
  expect(base.cost.rowsRead).toBeLessThanOrEqual(110);
});

test("what people choose is stored where it differs from the default, and for events that concern them only", async () => {
  const solo = await makePerson(base);
  const ctx = as(base, solo);
  const form_token = issueFormToken(ctx, "account");
  const quiet = { quiet: "on", quiet_from: "25:00", quiet_until: "06:30" };
  const fields = { mail_staff_replied: "on", app_status_changed: "on", mail_ticket_opened: "on", ...quiet, form_token };
  await savePreferences(args(ctx, post("/profile/notifications", { intent: "save", ...fields }), {}));
  const stored = await base.db
    .select({
      event: notificationPreferences.event,
      mail: notificationPreferences.by_mail,
      app: notificationPreferences.in_app,
    })
    .from(notificationPreferences)
    .where(eq(notificationPreferences.user_id, solo.id));
  expect(stored.find(({ event }) => event === "staff_replied")).toEqual({
    event: "staff_replied",
    mail: true,
    app: false,
  });
  expect(stored.find(({ event }) => event === "ticket_opened")).toBeUndefined();
  const page = await (await preferences(args(ctx, get("/profile/notifications"), {}))).json();
  const loaded = page.preferences;
  // A time that is none is the usual one; what holds a link is always mailed.
  expect(page.quiet).toEqual({ from: "20:00", until: "06:30" });
  expect(loaded.find(({ event }) => event === "invited")).toMatchObject({ byMail: null, inApp: false });
  expect(loaded.find(({ event }) => event === "status_changed")).toMatchObject({ byMail: false, inApp: true });
  expect(loaded.map(({ event }) => event)).not.toContain("ticket_opened");

  const again = { ...fields, intent: "save", quiet_from: "20:00" };
  await savePreferences(args(ctx, post("/profile/notifications", again), {}));
  expect(flash(base)).toBe("Nothing changed: You had chosen that already.");

  const never = { ...fields, intent: "save", quiet_from: "08:00", quiet_until: "08:00" };
  await savePreferences(args(ctx, post("/profile/notifications", never), {}));
  expect((await (await preferences(args(ctx, get("/profile/notifications"), {}))).json()).quiet).toBeNull();
});

test("keyboard shortcuts are switched off for the account, in every browser, and a page without the choice leaves them", async () => {
  const { signedIn } = await makeSession(base, person);
  const ctx = derive(base, { signedIn });
  const save = (fields: Record<string, string>) => {
    const form_token = issueFormToken(ctx, "account");
    return savePreferences(args(ctx, post("/profile/notifications", { form_token, intent: "save", ...fields }), {}));
  };
  const elsewhere = await makeSession(base, person);
  const isOff = async () => (await findSignedIn(base.db, elsewhere.signedIn.sessionHash, base.now()))?.shortcutsOff;
  expect(await isOff()).toBe(false);
  await save({ shortcuts: "off" });
  expect(await isOff()).toBe(true);
  signedIn.shortcutsOff = true;
  expect((await (await preferences(args(ctx, get("/profile/notifications"), {}))).json()).shortcutsOff).toBe(true);
  await save({});
  expect(await isOff()).toBe(true);
  await save({ shortcuts: "on" });
  expect(await isOff()).toBe(false);
});
