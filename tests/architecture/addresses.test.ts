import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import * as addresses from "~/lib/addresses";
import { rulesFor } from "~/lib/areas";
import { addressOf, hasRoute, isPage, routes } from "../support/routes";

const APP = path.resolve(import.meta.dirname, "../../app");

/**
 * Lists which folder an address belongs to, with everything below it that is not listed itself: its own files may write
 * the path. Other folders import it, from that folder or from `lib/addresses.ts`. The pages of the site are not listed:
 * they belong to the content.
 */
const OWNERS: Record<string, string> = {
  "/admin": "features/workspace",
  "/admin/activity": "features/audit",
  "/admin/analytics": "features/analytics",
  "/admin/attachments": "features/attachments",
  "/admin/exports": "features/exports",
  // A list names the address of its own file.
  "/admin/exports/activity.csv": "features/audit",
  "/admin/exports/archive.zip": "features/archives",
  "/admin/exports/organizations.csv": "features/organization-management",
  "/admin/canned-replies": "features/canned-replies",
  "/admin/exports/analytics.csv": "features/analytics",
  "/admin/exports/letter.pdf": "features/letters",
  "/admin/exports/letters.csv": "features/letters",
  "/admin/exports/report.csv": "features/reports",
  "/admin/exports/report.pdf": "features/reports",
  "/admin/exports/submissions.csv": "features/submissions",
  "/admin/exports/tickets.csv": "features/tickets",
  "/admin/exports/users.csv": "features/user-management",
  "/admin/notifications": "features/notifications",
  "/admin/organizations": "features/organizations",
  "/admin/exports/members.csv": "features/members",
  "/admin/exports/mfa-events.csv": "features/security",
  "/admin/exports/mfa-people.csv": "features/security",
  "/admin/mail": "features/inbound-mail",
  "/admin/members": "features/members",
  "/admin/exports/person.zip": "features/privacy",
  "/admin/exports/import.csv": "features/import",
  "/admin/exports/mail.eml": "features/inbound-mail",
  "/admin/first-hour": "features/setup",
  "/admin/import": "features/import",
  "/admin/import/people": "features/import",
  "/admin/privacy": "features/privacy",
  "/admin/search": "features/search",
  "/admin/security": "features/security",
  "/admin/letters": "features/letters",
  "/admin/reports": "features/reports",
  "/admin/settings": "features/settings",
  "/admin/submissions": "features/submissions",
  "/admin/tickets": "features/tickets",
  "/admin/users": "features/users",
  "/auth": "features/sign-in",
  "/client": "features/portal",
  "/client/attachments": "features/attachments",
  "/client/auth": "features/sign-in",
  "/client/exports": "features/exports",
  "/client/exports/archive.zip": "features/archives",
  "/client/exports/letter.pdf": "features/letters",
  "/client/exports/letters.csv": "features/letters",
  "/client/letters": "features/letters",
  "/client/exports/members.csv": "features/members",
  "/client/exports/tickets.csv": "features/tickets",
  "/client/notifications": "features/notifications",
  "/client/search": "features/search",
  "/client/organization": "features/organization-settings",
  "/client/team": "features/members",
  "/client/tickets": "features/tickets",
  "/contact": "features/submissions",
  "/create-ticket": "features/portal",
  "/dev": "features/mail",
  "/email-change": "features/auth",
  "/invite": "features/invitations",
  "/login": "features/sign-in",
  "/logout": "features/sign-in",
  "/not-me": "features/auth",
  "/profile": "features/account",
  "/profile/data": "features/privacy",
  "/profile/data.zip": "features/privacy",
  "/profile/notifications": "features/notifications",
  "/setup": "features/setup",
  "/solved": "features/tickets",
  "/stop-copies": "features/tickets",
  "/theme": "ui",
  "/unsubscribe": "features/notifications",
  "/verify-email": "features/auth",
};

/** Lists those that are only the beginning of other addresses. */
const GROUPS = ["/admin/attachments", "/admin/exports", "/client/attachments", "/client/exports", "/dev"];

/** Matches what may write any path: the routes themselves, the two tables of addresses, and the content. */
const EXEMPT = /^(routes\/|content\/|lib\/(areas|addresses)\.ts$)/;

const withoutQuery = (address: string) => address.split(/[?#]/, 1)[0] ?? "";
const isAtOrBelow = (address: string, prefix: string) => address === prefix || address.startsWith(`${prefix}/`);

/** Returns the listed address that a path belongs to: the longest one at or above it. */
function listedFor(address: string): string | undefined {
  const found = Object.keys(OWNERS).filter((prefix) => isAtOrBelow(withoutQuery(address), prefix));
  return found.sort((one, other) => other.length - one.length)[0];
}

type Literal = { file: string; text: string };

/** Returns the texts in quotes of a file, and of templates what stands before the first value. */
function literalsOf(file: string): Literal[] {
  const source = ts.createSourceFile(file, readFileSync(path.join(APP, file), "utf8"), ts.ScriptTarget.Latest, true);
  const found: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) found.push({ file, text: node.text });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const literals = readdirSync(APP, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !EXEMPT.test(file))
  .flatMap(literalsOf);

test("no file writes an address that belongs to another feature", () => {
  const owned = literals.flatMap(({ file, text }) => {
    const listed = listedFor(text);
    return listed ? [{ file, text, owner: OWNERS[listed] ?? "" }] : [];
  });
  expect(owned.length).toBeGreaterThan(10);
  const foreign = owned.filter(({ file, owner }) => !file.startsWith(`${owner}/`));
  expect(foreign.map(({ file }) => file)).toEqual([]);
});

test("the query that leads back after a redirect is built in one place", () => {
  expect(literals.filter(({ text }) => text.includes("redirectTo="))).toEqual([]);
});

test("every address that is no page of the site belongs to a folder, and every listed one has a route", () => {
  const withoutOwner = routes
    .filter(isPage)
    .map((route) => addressOf(route))
    .filter((address) => !["site", "machine"].includes(rulesFor(address).area) && !listedFor(address));
  expect(withoutOwner).toEqual(["/.well-known/change-password"]);
  expect(Object.keys(OWNERS).filter((address) => !hasRoute(address) && !GROUPS.includes(address))).toEqual([]);
});

const shared = Object.values(addresses).flatMap((value) => (typeof value === "string" ? [{ value }] : []));

test.each(shared)("the address $value, which several features know, has a route", ({ value }) => {
  expect(hasRoute(withoutQuery(value))).toBe(true);
});

test("a path gets further parameters encoded, with or without a query of its own", () => {
  expect(addresses.withRedirectTo("/auth", "/admin/submissions?q=a&b")).toBe(
    "/auth?redirectTo=%2Fadmin%2Fsubmissions%3Fq%3Da%26b",
  );
  expect(addresses.withParams("/login?mode=reset", { token: "a/b" })).toBe("/login?mode=reset&token=a%2Fb");
});

test("the page of a request for data is the page, with the rest of its query", () => {
  expect(addresses.pagePath(new URL("https://a.example/admin?q=x&_data=routes%2F_admin"))).toBe("/admin?q=x");
  expect(addresses.pagePath(new URL("https://a.example/admin?_data=routes%2F_admin"))).toBe("/admin");
});
