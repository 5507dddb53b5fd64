import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { userRoles } from "~/db/schema/accounts";
import { settings } from "~/db/schema/site";
import { codeAt, stepAt } from "~/features/auth/factors.server";
import { hashToken } from "~/platform/crypto.server";
import * as setup from "~/routes/_auth.setup";
import { loader as site } from "~/routes/_site";
import { setupCodeIfNoAdministrator } from "../../scripts/lib/setup-code.mjs";
import type { TestContext } from "../support/context";
import { makePerson } from "../support/factories";
import { fakeWrangler } from "../support/fake-wrangler";
import { args, errorOf, get } from "../support/requests";
import { newVisitor, type Visitor } from "../support/visitor";

let ctx: TestContext;
let browser: Visitor["browser"];
let number: number;

beforeEach(() => {
  ({ ctx, browser, number } = newVisitor());
});

const firstCode = async () => codeAt((await browser.page()).enrollment?.secret ?? "", stepAt(ctx.now()));

describe("the first administrator", () => {
  const CODE = "setup-code-of-this-installation";
  const form = (changes: Record<string, string> = {}) => ({
    setup_code: CODE,
    full_name: "Avery Quinn",
    email: `avery${number}@wrenfield.example`,
    password: "Correct!Horse7battery",
    confirm_password: "Correct!Horse7battery",
    ...changes,
  });
  const claim = (fields = form()) => browser.submit(setup.action, "/setup", "setup", fields);

  beforeEach(async () => {
    await ctx.db.delete(userRoles).where(eq(userRoles.role, "admin"));
    const row = { value_json: JSON.stringify(hashToken(CODE)), updated_at: ctx.now() };
    await ctx.db
      .insert(settings)
      .values({ key: "setup_code_hash", ...row })
      .onConflictDoUpdate({ target: settings.key, set: row });
  });

  test("needs the setup code", async () => {
    expect((await errorOf(await claim(form({ setup_code: "guess" })))).errors.setup_code).toContain("not the setup");
    expect((await errorOf(await claim(form({ setup_code: "" })))).errors.setup_code).toBe("Setup code is required");
  });

  test("reads on the page how a code is made, and whether one has been", async () => {
    const page = async () => (await browser.visit(setup.loader, "/setup")).json();
    expect(await page()).toMatchObject({ isCodeIssued: true, command: "npm run setup:code" });
    await ctx.db.delete(settings).where(eq(settings.key, "setup_code_hash"));
    expect(await page()).toMatchObject({ isCodeIssued: false });
    expect((await errorOf(await claim())).errors.setup_code).toContain("No setup code has been issued");
    ctx.config = { ...ctx.config, APP_ENV: "production" };
    expect(await page()).toMatchObject({ command: "npm run setup:code -- --remote [--env NAME]" });
  });

  test("finds the way from the public site with the code in the address, as long as nobody administers it", async () => {
    const at = async (query: string) => (await (await site(args(ctx, get(`/${query}`)))).json()).setUpAt;
    expect(await at("")).toBeNull();
    expect(await at("?code=guess")).toBeNull();
    expect(await at(`?code=${CODE}`)).toBe(`/setup?code=${CODE}`);
    const filled = await (await browser.visit(setup.loader, `/setup?code=${CODE}`)).json();
    expect(filled).toMatchObject({ code: CODE });
    await makePerson(ctx, { role: "admin", status: "deactivated" });
    expect(await at(`?code=${CODE}`)).toBeNull();
  });

  test("marks every field of an empty form", async () => {
    const empty = { setup_code: "", full_name: "", email: "", password: "", confirm_password: "" };
    expect(Object.keys((await errorOf(await claim(empty))).errors)).toEqual(Object.keys(empty));
  });

  test("of five at once is one, and then the page is gone", async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, place) =>
        claim(form({ email: `claim${number}-${place}@wrenfield.example` })).catch(() => null),
      ),
    );
    expect(answers.filter((answer) => answer?.headers.get("Location") === "/auth")).toHaveLength(1);
    expect(await ctx.db.select().from(userRoles).where(eq(userRoles.role, "admin"))).toHaveLength(1);
    expect((await browser.visit(setup.loader, "/setup")).status).toBe(404);
    expect((await claim()).status).toBe(404);
  });

  test("has no session before the second factor is set up", async () => {
    expect((await claim()).headers.get("Location")).toBe("/auth");
    expect((await browser.page()).state.at).toBe("setup_required");
    expect(await browser.whoAmI()).toBeNull();
    await browser.send({ intent: "verify-setup", code: await firstCode() });
    expect(await browser.whoAmI()).toMatchObject({ role: "admin", aal: 2 });
  });

  test("is told to wait after ten guesses", async () => {
    for (let guess = 0; guess < 10; guess += 1) await claim(form({ setup_code: `guess${guess}` }));
    expect((await claim()).status).toBe(429);
  });

  describe("of a deployed installation", () => {
    const issue = (env?: string, wrangler = fakeWrangler()) =>
      setupCodeIfNoAdministrator({ run: wrangler.run, origin: "https://help.example.org", env });

    test("claims it with the newest code that the command line issued", async () => {
      const [first, second] = [await issue(), await issue()];
      expect(second?.address).toBe(`https://help.example.org/setup?code=${second?.code}`);
      expect((await errorOf(await claim())).errors.setup_code).toContain("only the newest");
      expect((await errorOf(await claim(form({ setup_code: first?.code ?? "" })))).errors.setup_code).toBeDefined();
      expect((await claim(form({ setup_code: ` ${second?.code} ` }))).headers.get("Location")).toBe("/auth");
    });

    test("gets no code, and nothing is stored, once there is an administrator, even a deactivated one", async () => {
      await ctx.db.delete(settings).where(eq(settings.key, "setup_code_hash"));
      await makePerson(ctx, { role: "admin", status: "deactivated" });
      expect(await issue()).toBeNull();
      expect(await ctx.db.select().from(settings).where(eq(settings.key, "setup_code_hash"))).toEqual([]);
    });

    test("is asked for in the environment that was named, by the binding of its database", async () => {
      const wrangler = fakeWrangler();
      await issue("staging", wrangler);
      expect(wrangler.calls.map((args) => args.slice(0, -1))).toEqual([
        ["d1", "execute", "DB", "--remote", "--env", "staging", "--json", "--command"],
      ]);
    });

    test("hears what is wrong with the connection, without the hash", async () => {
      const run = async (args: string[]) => ({ code: 1, output: `Authentication error while running ${args.at(-1)}` });
      const refused = issue(undefined, { run, calls: [] });
      await expect(refused).rejects.toThrow("Authentication error");
      await expect(refused).rejects.not.toThrow("setup_code_hash");
    });
  });
});
