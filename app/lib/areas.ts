/**
 * The rules for an address, before any route runs; tests/architecture/areas.test.ts checks every route against them.
 */

import { CLIENT_SIGN_IN_PATH, STAFF_SIGN_IN_PATH } from "./addresses";

export type AreaName = "site" | "sign-in" | "account" | "portal" | "admin" | "resource" | "machine" | "development";

type Area = {
  /** `account`: everybody with a session; `user`: no password to change or factor to set up; `staff`: verified ones. */
  guard: "none" | "account" | "user" | "staff";
  layout: "_site" | "_auth" | "_account" | "_portal" | "_admin" | "dev" | null;
  /** Tells whether its pages run the framework in the browser. If not, they load none of its scripts. */
  hydrated: boolean;
  signInPath: typeof STAFF_SIGN_IN_PATH | typeof CLIENT_SIGN_IN_PATH;
  hasSession: boolean;
  /** Tells whether an address may contain a secret, so it must not be sent to other sites as a referrer. */
  hasSecretAddresses: boolean;
  isReturnable: boolean;
};

const PUBLIC: Area = {
  guard: "none",
  layout: null,
  hydrated: false,
  signInPath: STAFF_SIGN_IN_PATH,
  hasSession: true,
  hasSecretAddresses: false,
  isReturnable: false,
};

export const AREAS: Record<AreaName, Area> = {
  site: { ...PUBLIC, layout: "_site" },
  "sign-in": { ...PUBLIC, layout: "_auth", hasSecretAddresses: true },
  account: { ...PUBLIC, guard: "account", layout: "_account", isReturnable: true },
  portal: {
    ...PUBLIC,
    guard: "user",
    layout: "_portal",
    hydrated: true,
    signInPath: CLIENT_SIGN_IN_PATH,
    isReturnable: true,
  },
  admin: { ...PUBLIC, guard: "staff", layout: "_admin", hydrated: true, isReturnable: true },
  resource: PUBLIC,
  machine: { ...PUBLIC, hasSession: false },
  development: { ...PUBLIC, layout: "dev" },
};

const KIB = 1024;
const DEFAULT_BODY_LIMIT = 64 * KIB;

type Address = {
  path: string;
  area: AreaName;
  isCached?: boolean;
  bodyLimit?: number;
  hasBotCheck?: boolean;
  /** Tells whether it is a file to download, which the router of a hydrated page must not load. */
  isDownload?: boolean;
  isHiddenFromRobots?: boolean;
  isReturnable?: true;
  takesForeignPosts?: true;
  signInReason?: string;
};

const SETTINGS_REASON = "Please log in to view settings";

/** Lists the addresses. The first match counts; an address without a match belongs to the public site. */
const ADDRESSES: readonly Address[] = [
  { path: "/admin/submissions/*", area: "admin", bodyLimit: 256 * KIB },
  { path: "/admin/organizations", area: "admin" },
  { path: "/admin/organizations/*", area: "admin", bodyLimit: 256 * KIB },
  // A picture of up to half a megabyte. A larger one is read past, so that the page can say so.
  { path: "/admin/settings/logo", area: "admin", bodyLimit: 6 * KIB * KIB },
  // A picture of up to one megabyte; of a larger one nothing is kept.
  { path: "/admin/settings/portrait", area: "admin", bodyLimit: 25 * KIB * KIB },
  { path: "/admin/settings/*", area: "admin", bodyLimit: 256 * KIB, signInReason: SETTINGS_REASON },
  { path: "/admin/attachments/*", area: "admin", isDownload: true },
  { path: "/admin/tickets", area: "admin" },
  { path: "/admin/tickets/allowances/*", area: "admin" },
  { path: "/admin/tickets/move/*", area: "admin" },
  { path: "/admin/tickets/requester/*", area: "admin" },
  { path: "/admin/tickets/copies/*", area: "admin" },
  // Five files of 10 MiB and a long text.
  { path: "/admin/tickets/*", area: "admin", bodyLimit: 52 * KIB * KIB },
  { path: "/admin/canned-replies", area: "admin" },
  { path: "/admin/canned-replies/*", area: "admin", bodyLimit: 256 * KIB },
  // A mail of 256 kB, of which a form may make three times as much.
  { path: "/admin/mail/try", area: "admin", bodyLimit: 832 * KIB },
  // A file of the size that the platform takes at most, and what a form adds to it.
  { path: "/admin/import", area: "admin", bodyLimit: 97 * KIB * KIB },
  { path: "/admin/import/*", area: "admin", bodyLimit: 256 * KIB },
  { path: "/admin/exports/*", area: "admin", isDownload: true },
  { path: "/admin/*", area: "admin", isHiddenFromRobots: true },
  { path: "/client/auth", area: "sign-in" },
  { path: "/client/attachments/*", area: "portal", isDownload: true },
  { path: "/client/tickets", area: "portal" },
  { path: "/client/tickets/copies/*", area: "portal" },
  { path: "/client/tickets/*", area: "portal", bodyLimit: 52 * KIB * KIB },
  { path: "/client/exports/*", area: "portal", isDownload: true },
  { path: "/client/*", area: "portal", isHiddenFromRobots: true },
  { path: "/profile/data.zip", area: "account", isDownload: true, signInReason: SETTINGS_REASON },
  { path: "/profile/*", area: "account", isHiddenFromRobots: true, signInReason: SETTINGS_REASON },
  { path: "/create-ticket", area: "portal", bodyLimit: 52 * KIB * KIB, isHiddenFromRobots: true },

  { path: "/auth/*", area: "sign-in", isHiddenFromRobots: true },
  { path: "/login/*", area: "sign-in", isHiddenFromRobots: true },
  { path: "/verify-email/*", area: "sign-in" },
  { path: "/email-change/*", area: "sign-in" },
  { path: "/not-me/*", area: "sign-in" },
  {
    path: "/invite/*",
    area: "sign-in",
    isHiddenFromRobots: true,
    isReturnable: true,
    signInReason: "Sign in to accept the invitation",
  },
  { path: "/setup/*", area: "sign-in" },
  { path: "/stop-copies/*", area: "sign-in", isHiddenFromRobots: true, takesForeignPosts: true },
  { path: "/unsubscribe/*", area: "sign-in", isHiddenFromRobots: true, takesForeignPosts: true },
  { path: "/solved/*", area: "sign-in", isHiddenFromRobots: true, bodyLimit: 256 * KIB },

  { path: "/logout", area: "resource", isHiddenFromRobots: true },
  { path: "/theme", area: "resource" },
  { path: "/.well-known/change-password", area: "resource" },

  { path: "/healthz", area: "machine" },
  { path: "/csp-report", area: "machine", bodyLimit: 16 * KIB },
  { path: "/backups", area: "machine", bodyLimit: KIB, takesForeignPosts: true },
  { path: "/backups/*", area: "machine" },
  { path: "/brand/*", area: "machine" },
  { path: "/examples/letter.pdf", area: "machine" },
  { path: "/site.webmanifest", area: "machine" },
  { path: "/robots.txt", area: "machine" },
  { path: "/sitemap.xml", area: "machine" },

  { path: "/dev/*", area: "development" },

  { path: "/", area: "site", isCached: true },
  { path: "/services", area: "site", isCached: true },
  { path: "/services/:service", area: "site", isCached: true },
  { path: "/industries", area: "site", isCached: true },
  { path: "/industries/:industry", area: "site", isCached: true },
  { path: "/why-us", area: "site", isCached: true },
  { path: "/pricing", area: "site", isCached: true },
  { path: "/promise", area: "site", isCached: true },
  { path: "/examples/ticket", area: "site", isCached: true },
  { path: "/examples/letter", area: "site", isCached: true },
  { path: "/privacy", area: "site", isCached: true },
  { path: "/terms", area: "site", isCached: true },
  // A file of up to 5 MiB is accepted. Of a larger one nothing is kept, but it is read past up to here, so that the
  // form comes back with all that was typed.
  { path: "/contact", area: "site", bodyLimit: 25 * KIB * KIB, hasBotCheck: true },
];

type AddressRules = Area & {
  area: AreaName;
  isCached: boolean;
  bodyLimit: number;
  hasBotCheck: boolean;
  isDownload: boolean;
  takesForeignPosts: boolean;
  signInReason: string | null;
};

/** It ignores case, as the router does. */
const patternOf = (path: string): RegExp => {
  const escaped = path.replace(/[.]/g, "\\.").replace(/:[a-z]+/g, "[a-z-]{1,40}");
  return new RegExp(`^${escaped.replace(/\/\*$/, "(?:/.*)?")}$`, "i");
};

const rulesOf = ({ area, ...rules }: Omit<Address, "path">): AddressRules => ({
  ...AREAS[area],
  area,
  isCached: rules.isCached ?? false,
  bodyLimit: rules.bodyLimit ?? DEFAULT_BODY_LIMIT,
  hasBotCheck: rules.hasBotCheck ?? false,
  isDownload: rules.isDownload ?? false,
  takesForeignPosts: rules.takesForeignPosts ?? false,
  isReturnable: rules.isReturnable ?? AREAS[area].isReturnable,
  signInReason: rules.signInReason ?? null,
});

const TABLE = ADDRESSES.map((address) => ({ pattern: patternOf(address.path), rules: rulesOf(address) }));
const UNKNOWN = rulesOf({ area: "site" });

export const rulesFor = (pathname: string): AddressRules =>
  TABLE.find(({ pattern }) => pattern.test(pathname))?.rules ?? UNKNOWN;

export const signInReason = (address: string | null): string | undefined =>
  (address && rulesFor(address.split("?", 1)[0] ?? "").signInReason) || undefined;

export const hiddenFromRobots: readonly string[] = ADDRESSES.filter(({ isHiddenFromRobots }) => isHiddenFromRobots).map(
  ({ path }) => path.replace(/\/\*$/, ""),
);

export const cachedPaths: readonly string[] = ADDRESSES.filter(({ isCached }) => isCached).map(({ path }) => path);
