import { expect, test } from "vitest";
import { industries } from "~/content/industries";
import { services } from "~/content/services";
import { loader as industryLoader } from "~/routes/_site.industries.$slug";
import { loader as pricingLoader } from "~/routes/_site.pricing";
import { loader as serviceLoader } from "~/routes/_site.services.$serviceId";
import { loader as robotsLoader } from "~/routes/robots[.]txt";
import { loader as sitemapLoader } from "~/routes/sitemap[.]xml";
import { testContext } from "../support/context";
import { args, get } from "../support/requests";

const ctx = testContext();

async function service(serviceId: string) {
  const response = serviceLoader(args(ctx, get(`/services/${serviceId}`), { serviceId }));
  return { status: response.status, ...(await response.json()) };
}

test.each(services)("the service $id is there", async ({ id }) => {
  expect(await service(id)).toEqual({ status: 200, id, meant: null });
});

test.each([
  ["cloud", "cloud-solutions", "Cloud & Remote Work"],
  ["backup", "data-backup", "Data Backup"],
  ["network", "network-infrastructure", "Network & Infrastructure"],
  ["web", "web-digital", "Web & Digital Services"],
])("the short address %s is not found, but it is known what was meant", async (id, meant, name) => {
  expect(await service(id)).toEqual({ status: 404, id, meant: { id: meant, name } });
});

test.each([
  "managed_it",
  "Managed-IT",
  "constructor",
  "__proto__",
  "toString",
  "a".repeat(300),
  "",
])("the service %j is not found, and nothing is suggested", async (id) => {
  expect(await service(id)).toEqual({ status: 404, id, meant: null });
});

test.each(industries)("the industry $slug is there", ({ slug }) => {
  expect(industryLoader(args(ctx, get(`/industries/${slug}`), { slug })).status).toBe(200);
});

test.each(["daycare", "constructor", "__proto__", ""])("the industry %j is not found", (slug) => {
  expect(industryLoader(args(ctx, get(`/industries/${slug}`), { slug })).status).toBe(404);
});

test("the pricing page reads its whole state from the address, and says what it had to change", async () => {
  const read = async (query: string) => (await pricingLoader(args(ctx, get(`/pricing${query}`)))).json();
  expect(await read("")).toEqual({
    choice: { plan: "core", users: 5, lab: 0, addOns: [] },
    given: { users: null, lab: null },
    adjusted: [],
  });
  expect(await read("?plan=premium&users=12&lab=4&secureStorage=on")).toEqual({
    choice: { plan: "premium", users: 12, lab: 4, addOns: ["secureStorage"] },
    given: { users: "12", lab: "4" },
    adjusted: [],
  });
  expect(await read("?plan=nonsense&users=9999&lab=-1&x=y")).toEqual({
    choice: { plan: "core", users: 50, lab: 0, addOns: [] },
    given: { users: "9999", lab: "-1" },
    adjusted: ["plan", "users", "lab"],
  });
});

test("robots are told where the sitemap is and what is not for them", async () => {
  const text = await robotsLoader(args(ctx, get("/robots.txt"))).text();
  expect(text).toContain("Disallow: /admin\n");
  expect(text).toContain("Sitemap: http://localhost:8787/sitemap.xml\n");
});

test("the sitemap lists full addresses", async () => {
  const response = sitemapLoader(args(ctx, get("/sitemap.xml")));
  const xml = await response.text();
  expect(response.headers.get("Content-Type")).toContain("application/xml");
  expect(xml).toContain("<loc>http://localhost:8787/services/data-backup</loc>");
  expect(xml.match(/<loc>/g)).toHaveLength(22);
});
