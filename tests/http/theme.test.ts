import { beforeEach, describe, expect, test } from "vitest";
import { loader as root } from "~/root";
import { action } from "~/routes/theme";
import { type TestContext, testContext } from "../support/context";
import { args, get, post, thrownBy } from "../support/requests";

let ctx: TestContext;

beforeEach(() => {
  ctx = testContext();
});

const choose = (fields: Record<string, string>) => action(args(ctx, post("/theme", fields)));

describe("nothing is chosen", () => {
  test.each<Record<string, string>>([
    {},
    { theme: "" },
    { theme: "sepia" },
    { theme: "Dark" },
    { theme: "dark; Domain=evil.example" },
  ])("by %j", async (fields) => {
    expect((await thrownBy(choose({ ...fields, path: "/" }))).status).toBe(400);
    expect(ctx.cookiesSet).toEqual([]);
  });

  test("by two answers at once", async () => {
    const request = new Request("http://localhost:8787/theme", {
      method: "POST",
      body: new URLSearchParams([
        ["theme", "dark"],
        ["theme", "light"],
      ]),
    });
    expect((await thrownBy(action(args(ctx, request)))).status).toBe(400);
    expect(ctx.cookiesSet).toEqual([]);
  });
});

test.each([
  "//evil.example",
  "javascript:alert(1)",
  "",
])("a form that claims to stand on %j leads Home", async (path) => {
  const response = await choose({ theme: "dark", path });
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
});

test.each([
  ["light", "__Host-theme=light", 31_536_000],
  ["dark", "__Host-theme=dark", 31_536_000],
  ["system", "__Host-theme=", 0],
])("%s is kept in a cookie that only this site sees, and leads back to the place", async (theme, pair, maxAge) => {
  const response = await choose({ theme, path: "/pricing?plan=core#footer-theme" });
  expect([response.status, response.headers.get("Location")]).toEqual([303, "/pricing?plan=core#footer-theme"]);
  expect(ctx.cookiesSet).toEqual([`${pair}; Max-Age=${maxAge}; Path=/; HttpOnly; Secure; SameSite=Lax`]);
});

test("pages that were read ahead in the theme of before are forgotten", async () => {
  const response = await choose({ theme: "dark", path: "/" });
  expect(response.headers.get("Clear-Site-Data")).toBe('"prefetchCache", "prerenderCache"');
});

test.each([
  ["dark", "dark"],
  ["light", "light"],
  ["sepia", "system"],
  ['"><script>', "system"],
])("a cookie that says %s makes the theme %s", async (value, theme) => {
  ctx = testContext({ facts: { cookies: new Map([["__Host-theme", value]]) } });
  expect(await (await root(args(ctx, get("/")))).json()).toMatchObject({ theme });
});
