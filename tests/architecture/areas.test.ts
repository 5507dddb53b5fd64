import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { AREAS, rulesFor } from "~/lib/areas";
import { withImports } from "../support/own-modules";

const ROUTES = path.resolve(import.meta.dirname, "../../app/routes");
const routes = readdirSync(ROUTES)
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => file.replace(/\.tsx?$/, ""));

/** Lists the guards that a route may start with, by the guard of its address in the table. */
const GUARDS = {
  none: [],
  account: ["requireAccount", "requireUser"],
  user: ["requireUser"],
  staff: ["requireStaff"],
};

/** Returns an address of a route, from its file name: `_admin.admin.submissions.$id` → `/admin/submissions/sample`. */
function addressOf(route: string): string {
  const parts = route
    .replaceAll("[.]", "\0")
    .split(".")
    .filter((part) => !part.startsWith("_"))
    .map((part) => (part.startsWith("$") ? "sample" : part.replace(/_$/, "").replaceAll("\0", ".")));
  return `/${parts.join("/")}`;
}

const fileOf = (route: string) => readdirSync(ROUTES).find((name) => name.replace(/\.tsx?$/, "") === route) ?? "";
const sourceOf = (route: string) => readFileSync(path.join(ROUTES, fileOf(route)), "utf8");

const layoutOf = (route: string) => /^(_[a-z]+|dev)(?=\.|$)/.exec(route)?.[1] ?? null;
const isHydrated = (route: string) => /handle = \{[^}]*hydrate: true/.test(sourceOf(route));

const pages = routes.filter((route) => layoutOf(route) !== route);

describe.each(pages)("the route %s", (route) => {
  const rules = rulesFor(addressOf(route));

  test("belongs to the area whose layout is around it", () => {
    expect(rules.layout).toBe(layoutOf(route));
  });

  test("starts with a guard of its area", () => {
    const called = [...sourceOf(route).matchAll(/\bawait (require[A-Z]\w+)\(/g)].map(([, name]) => name ?? "");
    if (rules.guard === "none") expect(called).toEqual([]);
    else expect(called.length).toBeGreaterThan(0);
    for (const guard of called) expect(GUARDS[rules.guard]).toContain(guard);
  });

  test("runs the framework in the browser exactly if its area does", () => {
    const layout = layoutOf(route);
    const hydrated = isHydrated(route) || (layout !== null && routes.includes(layout) && isHydrated(layout));
    expect(hydrated).toBe(rules.hydrated);
  });
});

test("every layout belongs to one area", () => {
  const layouts = Object.values(AREAS).flatMap(({ layout }) => (layout ? [layout] : []));
  expect(new Set(layouts).size).toBe(layouts.length);
});

test.each([
  "/admin",
  "/admin/nothing/here",
  "/ADMIN/submissions",
  "/client",
  "/client/tickets/1",
  "/profile/x",
])("%s needs an account, even if it has no route", (address) => {
  expect(rulesFor(address).guard).not.toBe("none");
});

test.each([
  "/client/auth",
  "/auth",
  "/administration",
  "/clients",
  "/nothing",
  "/",
])("%s needs no account", (address) => {
  expect(rulesFor(address).guard).toBe("none");
});

describe("a cached page is the same for everybody", () => {
  const cached = pages.filter((route) => rulesFor(addressOf(route)).isCached);
  const PERSONAL = /\b(issueFormToken|takeFlash|signedIn|setCookie|formTokens?)\b/;

  test("and there are such pages", () => {
    expect(cached.length).toBeGreaterThan(5);
  });

  test.each(cached)("so %s and what it is made of know nobody", (route) => {
    const files = withImports([path.join(ROUTES, fileOf(route))]);
    expect(files.size).toBeGreaterThan(1);
    expect([...files].filter((file) => PERSONAL.test(readFileSync(file, "utf8")))).toEqual([]);
  });
});
