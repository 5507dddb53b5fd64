import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { AREAS, rulesFor } from "~/lib/areas";

const ROUTES = path.resolve(import.meta.dirname, "../../app/routes");
const routes = readdirSync(ROUTES)
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => file.replace(/\.tsx?$/, ""));

/** Lists the guards that a route may start with, by the guard of its address in the table. */
const GUARDS = {
  none: [],
  account: ["requireAccount", "requireUser"],
  user: ["requireUser", "requireMember"],
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

const sourceOf = (route: string) => {
  const file = readdirSync(ROUTES).find((name) => name.replace(/\.tsx?$/, "") === route) ?? "";
  return readFileSync(path.join(ROUTES, file), "utf8");
};

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

test("only pages that are the same for everybody are cached", () => {
  for (const route of pages) {
    const rules = rulesFor(addressOf(route));
    if (rules.isCached) expect(sourceOf(route)).not.toMatch(/issueFormToken|takeFlash|signedIn|setCookie/);
  }
});
