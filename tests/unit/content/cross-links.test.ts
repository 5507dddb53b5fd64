import { expect, test } from "vitest";
import { addOns } from "~/content/add-ons";
import { brand } from "~/content/brand";
import { compliance, industries } from "~/content/industries";
import { privacyText, termsText } from "~/content/legal";
import { footerColumns } from "~/content/navigation";
import { DEFAULT_PLAN, plans, pricingNote } from "~/content/plans-and-prices";
import { services, shortServicePaths } from "~/content/services";
import { publicPaths } from "~/features/site/seo";
import { CLIENT_SIGN_IN_PATH } from "~/lib/addresses";

const serviceIds = services.map(({ id }) => id);
const slugs = industries.map(({ slug }) => slug);
const unique = (values: readonly string[]) => new Set(values).size === values.length;

test("the six services and six industries have the addresses that others link to", () => {
  expect(serviceIds).toEqual([
    "managed-it",
    "cybersecurity",
    "cloud-solutions",
    "data-backup",
    "network-infrastructure",
    "web-digital",
  ]);
  expect(slugs).toEqual(["healthcare", "mental-health", "nonprofit", "professional", "learning", "remote"]);
});

test.each(industries)("$title names services that exist, and each once", ({ services: asked }) => {
  expect(asked.length).toBeGreaterThan(0);
  expect(unique(asked)).toBe(true);
  for (const id of asked) expect(serviceIds).toContain(id);
});

test.each(services)("$title is asked for by an industry and costs what a plan costs", ({ id, cost, features }) => {
  expect(industries.some(({ services: asked }) => asked.includes(id))).toBe(true);
  expect(plans.map((plan) => plan.id)).toContain(cost.plan);
  expect(features).toHaveLength(3);
});

test("short addresses lead to services and are none themselves", () => {
  expect(Object.keys(shortServicePaths)).toEqual(["cloud", "backup", "network", "web"]);
  for (const [path, { id }] of Object.entries(shortServicePaths)) {
    expect(serviceIds).toContain(id);
    expect(serviceIds).not.toContain(path);
  }
});

/** Returns all texts in a value, however deep. */
const textsIn = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return value && typeof value === "object" ? Object.values(value).flatMap(textsIn) : [];
};

test("every link in the content leads to a page that exists", () => {
  const known = [...publicPaths, CLIENT_SIGN_IN_PATH];
  const modules = import.meta.glob("../../../app/content/*.ts", { eager: true });
  const links = textsIn([
    modules,
    footerColumns({ services, industries, linksPromises: false }),
    privacyText(brand),
    termsText(brand),
  ]).filter((text) => text.startsWith("/"));
  expect(links.length).toBeGreaterThan(20);
  expect(links.map((link) => link.split(/[?#]/, 1)[0]).filter((link) => !known.includes(link ?? ""))).toEqual([]);
});

test("no address of the sitemap occurs twice", () => {
  expect(unique(publicPaths)).toBe(true);
});

test("plans and add-ons fit together", () => {
  const ids = addOns.map(({ id }) => id);
  expect(unique(ids)).toBe(true);
  expect(plans.filter(({ highlight }) => highlight).map(({ id }) => id)).toEqual([DEFAULT_PLAN]);
  for (const { includes } of plans) for (const id of includes) expect(ids).toContain(id);
});

test("all places that name the maker of the network gear ask the brand for it", () => {
  const networkBrand = "Maple Switches";
  const texts = [
    pricingNote(networkBrand, brand.prices).text,
    JSON.stringify(termsText({ ...brand, networkBrand })),
    ...services.flatMap(({ note }) => note?.({ networkBrand })?.text ?? []),
  ].filter((text) => text.includes("network gear"));
  expect(texts).toHaveLength(3);
  for (const text of texts) {
    expect(text).toContain("New managed-service clients move their network gear to Maple Switches within 90 days");
  }
});

test("the compliance section names every rule it must", () => {
  expect(compliance.map(({ name }) => name)).toEqual(["HIPAA", "GDPR", "SOC 2", "FERPA", "PCI DSS", "CCPA"]);
});

test.each([
  privacyText(brand),
  termsText(brand),
])("$title is dated, filled from the brand, and its parts can be linked to", (text) => {
  expect(text.version).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(unique(text.sections.map(({ id }) => id))).toBe(true);
  expect(JSON.stringify(text)).toContain(brand.email);
  expect(JSON.stringify(text)).not.toMatch(/undefined|placeholder|\[object/i);
});

test("until its owner names them, an installation has no story, no founder and no network brand that anybody must move to", () => {
  expect([brand.story, brand.founder, brand.networkBrand]).toEqual(["", "", ""]);
  const { text } = pricingNote("", brand.prices);
  expect(text).toMatch(/^There are no setup fees\./);
  expect(text + JSON.stringify(termsText(brand))).not.toMatch(/network gear|within 90 days/);
  expect(JSON.stringify(services.map(({ note }) => note?.(brand) ?? null))).not.toContain("network gear");
});
