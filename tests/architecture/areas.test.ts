import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CONTACT_FILES } from "~/features/attachments/model";
import { publicPaths } from "~/features/site/seo";
import { AREAS, cachedPaths, hiddenFromRobots, rulesFor } from "~/lib/areas";
import { isHydratedPage } from "~/lib/hydrated-pages";
import { withImports } from "../support/own-modules";
import { addressOf, fileOf, hasRoute, isPage, layoutOf, routes, sourceOf } from "../support/routes";

/** Lists the guards that a route may start with, by the guard of its address in the table. */
const GUARDS = {
  none: [],
  account: ["requireAccount", "requireUser"],
  user: ["requireUser", "requireClient", "requireMember", "requireFormMember"],
  staff: ["requireStaff"],
};

const isHydrated = (route: string) => /handle = \{[^}]*hydrate: true/.test(sourceOf(route));

const pages = routes.filter(isPage);

/** Returns the texts of a route and of all modules it is made of. */
const modulesOf = (route: string) => [...withImports([fileOf(route)])].map((file) => readFileSync(file, "utf8"));
const hasAction = (route: string) => /export async function action\(/.test(sourceOf(route));
const isHidden = (address: string) =>
  hiddenFromRobots.some((hidden) => address === hidden || address.startsWith(`${hidden}/`));
/** Tells whether browsers load a page before its link is opened. */
const isPrefetched = (address: string) =>
  cachedPaths.some((pattern) => new RegExp(`^${pattern.replace(/:[a-z]+/g, "[^/]+")}$`).test(address));

const SENDS_FILE = /"Content-Disposition": [`"]/;
const TAKES_FILE = /encType="multipart\/form-data"/;
const SHOWS_BOT_CHECK = /className="cf-turnstile"/;
const DEFAULT_BODY_LIMIT = rulesFor("/no/such/address").bodyLimit;

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

  test("is followed by the browser's router exactly if it is a page of a hydrated area", () => {
    expect(isHydratedPage(addressOf(route))).toBe(rules.hydrated && !rules.isDownload);
  });

  test("accepts posts as long as a file exactly if it has a form for a file", () => {
    const takesFile = modulesOf(route).some((text) => TAKES_FILE.test(text));
    expect(rules.bodyLimit > CONTACT_FILES.maxSize).toBe(takesFile);
  });

  test("may load the bot check exactly if it shows it", () => {
    expect(rules.hasBotCheck).toBe(modulesOf(route).some((text) => SHOWS_BOT_CHECK.test(text)));
  });

  test("is a download exactly if its loader sends a file", () => {
    const sendsFile = !hasAction(route) && modulesOf(route).some((text) => SENDS_FILE.test(text));
    expect(rules.isDownload).toBe(sendsFile);
  });

  test("is hidden from robots if it needs an account, and not if it is in the sitemap or cached", () => {
    if (rules.guard !== "none") expect(isHidden(addressOf(route))).toBe(true);
    if (rules.isCached) expect(isHidden(addressOf(route))).toBe(false);
  });

  test("is loaded before it is opened only if it is cached, open to everybody and without the framework", () => {
    expect(isPrefetched(addressOf(route))).toBe(rules.isCached);
    if (rules.isCached) expect([rules.guard, rules.hydrated, hasAction(route)]).toEqual(["none", false, false]);
  });
});

test("every limit of its own is for an address that takes posts", () => {
  const own = pages.filter((route) => rulesFor(addressOf(route)).bodyLimit !== DEFAULT_BODY_LIMIT);
  const addresses = own.filter(hasAction).map((route) => addressOf(route));
  expect(addresses.length).toBeGreaterThan(3);
  expect(own.filter((route) => !hasAction(route)).map((route) => addressOf(route))).toEqual([]);
});

test("no page of the sitemap is hidden from robots, and each has a route", () => {
  expect(publicPaths.filter(isHidden)).toEqual([]);
  expect(publicPaths.filter((address) => !hasRoute(address))).toEqual([]);
});

test("what is hidden from robots or cached exists", () => {
  const hasRouteBelow = (hidden: string) => pages.some((route) => `${addressOf(route)}/`.startsWith(`${hidden}/`));
  expect(hiddenFromRobots.filter((hidden) => !hasRouteBelow(hidden))).toEqual([]);
  expect(cachedPaths.filter((pattern) => !hasRoute(pattern.replace(/:[a-z]+/g, "sample")))).toEqual([]);
});

test("browsers load the pages of the page cache before their link is opened, and none with a query", () => {
  const { prefetch } = JSON.parse(readFileSync("public/speculation-rules.json", "utf8"));
  const where = { and: [{ href_matches: [...cachedPaths] }, { not: { href_matches: "/*\\?*" } }] };
  expect(prefetch).toEqual([{ where, eagerness: "moderate" }]);
});

test("no public file or folder is named like the beginning of a route: the platform serves it before the worker", () => {
  const beginnings = new Set(pages.map((route) => addressOf(route).split("/")[1]));
  const served = readdirSync("public").map((name) => name.replace(/^index\.html$|\.html$/, ""));
  expect(served.length).toBeGreaterThan(3);
  expect(served.filter((name) => beginnings.has(name))).toEqual([]);
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
    const files = withImports([fileOf(route)]);
    expect(files.size).toBeGreaterThan(1);
    expect([...files].filter((file) => PERSONAL.test(readFileSync(file, "utf8")))).toEqual([]);
  });
});

test("every page of the admin area and the portal shows its errors inside the frame", () => {
  const framed = pages.filter((route) => /^_(admin|portal)\./.test(route) && /export default/.test(sourceOf(route)));
  expect(framed.length).toBeGreaterThan(8);
  const others = framed.filter(
    (route) =>
      !/export \{[^}]*\bErrorBoundary\b[^}]*\} from "~\/(?:ui\/error-page|features\/workspace\/area-page)"/.test(
        sourceOf(route),
      ),
  );
  expect(others).toEqual([]);
});
