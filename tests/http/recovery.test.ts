import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { users } from "~/db/schema/accounts";
import { auditEvents } from "~/db/schema/audit";
import { mailAddressHolds } from "~/db/schema/outbox";
import { codeAt, prepareBackupCodes, stepAt } from "~/features/auth/factors.server";
import { deliverOutbox } from "~/features/mail/deliver-outbox.server";
import { recipientHash } from "~/features/mail/enqueue-mail.server";
import { endMailPause, pauseMail } from "~/features/mail/mail-pause.server";
import { days } from "~/lib/time";
import { issueFormToken } from "~/platform/form-token.server";
import { isHashQueueFull } from "~/platform/hash-queue.server";
import * as profile from "~/routes/_account.profile._index";
import * as backupCodes from "~/routes/_account.profile.backup-codes";
import * as mfa from "~/routes/_account.profile.mfa";
import { loader as adminLayout } from "~/routes/_admin";
import * as admin from "~/routes/_admin.admin._index";
import { action, loader } from "~/routes/_admin.admin.users.$userId";
import * as portal from "~/routes/_portal.client._index";
import { staffMember } from "../support/admin-area";
import { openBrowser } from "../support/browser";
import { derive, type TestContext } from "../support/context";
import { as, makePerson, PASSWORD, type Person } from "../support/factories";
import { withFullHashQueue } from "../support/full-hash-queue";
import { linkIn, mailsTo } from "../support/mails";
import { mailRow, queueMail } from "../support/outbox";
import { args, errorOf, get, post, thrownBy } from "../support/requests";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: TestContext;
let browser: Visitor["browser"];

beforeEach(() => {
  ({ ctx, browser } = newVisitor());
});

describe("recovery", () => {
  const NEXT = { new_password: "Brand!New8horse", confirm_password: "Brand!New8horse" };
  const update = (fields: Record<string, string> = NEXT, path = "/login?mode=update") =>
    browser.send({ intent: "update-password", ...fields }, path);
  const askForLink = (email = "nobody@nowhere.example", query = "") =>
    browser.send({ intent: "request-reset", email }, `/login?mode=reset${query}`);
  const mustChange = async (role: Person["role"] = "user") => {
    const person = await makePerson(ctx, { withPassword: true, role });
    await ctx.db.update(users).set({ must_change_password: 1 }).where(eq(users.id, person.id));
    await browser.password(person.email);
    return person;
  };

  describe("a password that must be changed", () => {
    test("opens nothing else, and the new one is typed at the next sign-in", async () => {
      const person = await mustChange();
      const sent = await browser.visit(profile.loader, "/profile");
      expect([sent.status, sent.headers.get("Location")]).toEqual([303, "/login?mode=update"]);

      const required = { at: "password_update", email: person.email, proof: "password", isRequired: true };
      expect((await browser.page("/login?mode=update")).state).toEqual(required);

      const wrong = await update({ ...NEXT, current_password: "Wrong!Horse7" });
      expect((await errorOf(wrong)).errors).toEqual({ current_password: "Current password is incorrect" });
      const updated = await update({ ...NEXT, current_password: PASSWORD });
      expect(updated.headers.get("Location")).toBe("/client/auth");
      expect(await browser.whoAmI()).toBeNull();
      await browser.password(person.email, "Brand!New8horse");
      expect(await browser.whoAmI()).toMatchObject({ mustChangePassword: false });
    });

    describe("by one of the staff who has no second factor yet", () => {
      const change = { ...NEXT, current_password: PASSWORD };
      let person: Person;

      beforeEach(async () => {
        person = await mustChange("moderator");
      });

      test("comes first, then the factor, and then the backup codes are seen", async () => {
        expect((await browser.page("/login?mode=update")).state).toMatchObject({ proof: "password", isRequired: true });
        const updated = await update(change);
        expect([updated.status, updated.headers.get("Location")]).toEqual([303, "/auth"]);
        const { state, enrollment } = await browser.page("/auth");
        expect(state).toMatchObject({ at: "setup_required", email: person.email });
        const code = codeAt(enrollment?.secret ?? "", stepAt(ctx.now()));
        const completed = await browser.send({ intent: "verify-setup", code });
        expect(completed.headers.get("Location")).toMatch(/^\/profile\/mfa\?step=codes/);
        expect(await browser.whoAmI()).toMatchObject({ aal: 2, mustChangePassword: false, codesUnsaved: true });
        const codes = await browser.visit(mfa.loader, "/profile/mfa?step=codes");
        expect(codes.status).toBe(200);
        expect(((await codes.json()) as { codes: string[] }).codes).toHaveLength(10);
      });

      test("is all that the session before it opens, which has no second factor", async () => {
        expect(await browser.whoAmI()).toMatchObject({ aal: 1, mustChangePassword: true });
        for (const [loader, path] of [
          [admin.loader, "/admin"],
          [mfa.loader, "/profile/mfa?do=enable"],
          [profile.loader, "/profile"],
          [portal.loader, "/client"],
        ] as const) {
          const sent = await browser.visit(loader as never, path);
          expect([path, sent.status, sent.headers.get("Location")]).toEqual([path, 303, "/login?mode=update"]);
        }
      });

      test("leads to no set-up for whoever types a wrong password, or one that is over", async () => {
        const wrong = await update({ ...change, current_password: "Wrong!Horse7" });
        expect(wrong.status).toBe(400);
        expect(browser.cookies.has("__Host-mfa")).toBe(false);
        await update(change);
        const late = openBrowser(ctx);
        expect((await late.password(person.email, PASSWORD)).status).toBe(400);
      });
    });
  });

  describe("the reset screen", () => {
    test("answers an address that exists and one that does not byte for byte the same", async () => {
      const person = await makePerson(ctx, { withPassword: true });
      const [one, other] = [await askForLink(person.email), await askForLink()];
      expect([one.status, one.headers.get("Location")]).toEqual([other.status, other.headers.get("Location")]);
      expect(await one.text()).toBe(await other.text());
    });

    test("says that mail is delayed while the provider's quota is used up, whoever asks, and not otherwise", async () => {
      const person = await makePerson(ctx, { withPassword: true });
      const noteFor = async (email: string, path = "/login?reset=sent") => {
        await askForLink(email);
        return (await browser.page(path)).mailNote;
      };
      expect(await noteFor(person.email)).toBeUndefined();
      await pauseMail(ctx, "E_DAILY_LIMIT_EXCEEDED", 0);
      const note = "Our mail is delayed right now. If none has come within an hour, ask again later today or tomorrow.";
      expect(await noteFor(person.email)).toBe(note);
      expect(await noteFor("nobody@nowhere.example")).toBe(note);
      expect(await noteFor(person.email, "/client/auth?tab=check")).toBe(note);
      expect(await noteFor(person.email, "/login")).toBeUndefined();
      await endMailPause(ctx);
    });

    test("takes the token out of the address and uses nothing up by being opened", async () => {
      const person = await makePerson(ctx, { withPassword: true });
      await askForLink(person.email);
      const link = linkIn((await mailsTo(ctx, person.email))[0], "/login");
      for (let scan = 0; scan < 3; scan += 1) {
        const response = await thrownBy(browser.open(link));
        expect([response.status, response.headers.get("Location")]).toEqual([303, "/login?mode=reset"]);
      }
      const { state } = await browser.page("/login?mode=reset");
      expect(state).toMatchObject({ at: "password_update", email: person.email, proof: "link" });
    });

    test("says that a link is over to whoever comes by one, until they ask for another", async () => {
      const invalid = { at: "reset_request", isLinkInvalid: true };
      await thrownBy(browser.open(`/login?mode=reset&token=${"a".repeat(43)}`));
      expect((await browser.page("/login?mode=reset")).state).toEqual(invalid);
      await askForLink();
      expect((await browser.page("/login?mode=reset")).state).toEqual({ ...invalid, isLinkInvalid: false });
    });

    test("asks somebody who is signed in and has no link for the current password", async () => {
      const person = await makePerson(ctx, { withPassword: true });
      await browser.password(person.email);
      expect((await browser.page("/login?mode=reset")).state).toMatchObject({
        at: "password_update",
        proof: "password",
      });
    });

    test.each([
      "/login",
      "/auth",
    ])("at %s?mode=update asks whoever has no link for an address, and sends the mail", async (path) => {
      const shown = await browser.page(`${path}?mode=update`);
      expect(shown.state).toEqual({ at: "reset_request", isLinkInvalid: true });
      const { email } = await makePerson(ctx, { withPassword: true });
      const sent = await browser.send({ intent: "request-reset", email }, shown.action);
      expect(sent.headers.get("Location")).toBe(`${path}?reset=sent`);
      expect(await mailsTo(ctx, email)).toHaveLength(1);
    });

    test("without link and session changes nothing", async () => {
      const response = await update();
      expect(response.status).toBe(400);
      expect((await errorOf(response)).title).toBe("Password Update Failed");
    });

    test("an unexpected error of a new password is one during password update, and no password comes back", async () => {
      const select = () => {
        throw new Error("D1_ERROR: overloaded");
      };
      const db = new Proxy(ctx.db, { get: (real, name) => (name === "select" ? select : Reflect.get(real, name)) });
      const broken = openBrowser(derive(ctx, { db }));
      broken.cookies.set("__Host-rst", "A".repeat(43));
      const response = await broken.send({ intent: "update-password", ...NEXT }, "/login?mode=update");
      expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({
        title: "An error occurred during password update",
        errors: { form: "Please try again in a moment." },
      });
      expect(text).not.toContain("Brand!New8horse");
    });

    test.each([
      [{}, { new_password: "Enter the new password twice.", confirm_password: "Enter the password again." }],
      [{ new_password: "a" }, { confirm_password: "Enter the new password twice." }],
      [{ current_password: "", new_password: "a" }, { current_password: "Enter your current password." }],
      [{ new_password: "a", confirm_password: "b" }, { confirm_password: "Passwords do not match" }],
    ])("marks every field that is wrong with %j", async (fields, errors) => {
      const response = await update(fields as Record<string, string>, "/login?mode=reset");
      expect((await errorOf(response)).errors).toMatchObject(errors);
    });

    test("keeps the page the person wants to open", async () => {
      const { redirectTo } = await browser.page("/login?mode=reset&redirectTo=%2Fprofile");
      expect(redirectTo).toBe("/profile");
      const sent = await askForLink(undefined, "&redirectTo=%2Fprofile");
      expect(sent.headers.get("Location")).toBe("/login?redirectTo=%2Fprofile&reset=sent");
      const elsewhere = await askForLink(undefined, "&redirectTo=%2F%2Fevil.test");
      expect(elsewhere.headers.get("Location")).toBe("/login?reset=sent");
    });
  });
});

const hold = (ctx: TestContext, email: string) =>
  ctx.db.insert(mailAddressHolds).values({
    ...{ to_hash: recipientHash(ctx, email), reason: "returned", since: ctx.now(), until: ctx.now() + days(7) },
  });

test("people whose address bounces are told so on every page, and others are not", async () => {
  const { ctx, person } = await staffMember();
  const { ctx: other } = await staffMember();
  await hold(ctx, person.email);
  const read = async (reader: TestContext) => (await (await adminLayout(args(reader, get("/admin")))).json()).held;
  expect(await read(ctx)).toMatchObject({ email: person.email, until: ctx.now() + days(7) });
  expect(await read(other)).toBeNull();
});

test("an administrator sees it at the person, and lets mail go again: what waited leaves once", async () => {
  const { ctx } = await staffMember();
  const client = await makePerson(ctx, {});
  const path = `/admin/users/${client.id}`;
  const params = { userId: client.id };
  await hold(ctx, client.email);
  const waiting = await queueMail(ctx, { to: client.email });
  await deliverOutbox(ctx);
  expect(await mailRow(ctx, waiting.id)).toMatchObject({ status: "pending", last_error: "address_held" });
  const held = async () => (await (await loader(args(ctx, get(path), params))).json()).held;
  expect(await held()).toMatchObject({ reason: "returned" });
  const form_token = issueFormToken(ctx, "user");
  const release = () => action(args(ctx, post(path, { intent: "release_mail", form_token }), params));
  await Promise.all([release(), release()]);
  await ctx.settle();
  expect(await held()).toBeNull();
  expect(ctx.sent.filter(({ to }) => to === client.email)).toHaveLength(1);
  const audited = await ctx.db.select().from(auditEvents).where(eq(auditEvents.subject_id, client.id));
  expect(audited.filter((event) => event.action === "user.mail_released")).toHaveLength(1);
});

test("a technician and a client cannot let it go", async () => {
  const { ctx } = await staffMember();
  const client = await makePerson(ctx, {});
  await hold(ctx, client.email);
  const params = { userId: client.id };
  for (const reader of [(await staffMember("moderator")).ctx, as(ctx, client)]) {
    const form_token = issueFormToken(reader, "user");
    const posted = post(`/admin/users/${client.id}`, { intent: "release_mail", form_token });
    expect((await thrownBy(action(args(reader, posted, params)))).status).not.toBe(303);
  }
  expect(await ctx.db.select().from(mailAddressHolds)).not.toEqual([]);
});

describe("the file of codes", () => {
  let codes: string[];

  beforeEach(async () => {
    const person = await makePerson(ctx, { withPassword: true });
    await browser.password(person.email);
    const prepared = await prepareBackupCodes(ctx, person.id);
    codes = prepared.codes;
    for (const statement of prepared.statements) await ctx.db.batch([statement]);
  });

  const download = (typed: readonly string[]) =>
    browser.submit(backupCodes.action, "/profile/backup-codes", "account", { codes: typed.join(" ") });

  test("a person downloads ten times an hour, then waits; nobody else does", async () => {
    const statuses: number[] = [];
    for (let time = 0; time < 11; time += 1) statuses.push((await download(codes.slice(0, 1))).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    expect((await download(codes)).headers.get("Retry-After")).toBe("900");
  });

  test("with a full hash queue the download fails with the error that is answered with 503", async () => {
    const error = await withFullHashQueue(() => download(codes).catch((thrown: unknown) => thrown));
    expect(isHashQueueFull(error)).toBe(true);
  });
});
