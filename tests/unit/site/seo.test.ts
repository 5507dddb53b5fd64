import { expect, test } from "vitest";
import { industries } from "~/content/industries";
import { services } from "~/content/services";
import { mergedBrand } from "~/features/settings/brand-settings";
import { otherIndustries } from "~/features/site/industries";
import { missingPageMeta, organizationSchema, pageMeta, publicPaths } from "~/features/site/seo";

const layout = [
  { id: "root", data: { brand: mergedBrand({}) } },
  { id: "routes/_site", data: { origin: "https://it.example" } },
];
const page = { title: "Services", description: "Six services.", path: "/services" };

test("a page names its own address, whatever address it was asked for under", () => {
  const meta = pageMeta(layout, page);
  expect(meta).toContainEqual({ tagName: "link", rel: "canonical", href: "https://it.example/services" });
  expect(meta).toContainEqual({ property: "og:url", content: "https://it.example/services" });
  expect(meta).toContainEqual({ property: "og:image", content: "https://it.example/images/preview.png" });
  expect(meta).toContainEqual({ title: "Services | Wrenfield" });
});

test("Home begins with the name instead of ending with it", () => {
  const meta = pageMeta(layout, { ...page, title: "IT for clinics", path: "/" });
  expect(meta).toContainEqual({ title: "Wrenfield: IT for clinics" });
});

test("structured data says which vocabulary it speaks", () => {
  const meta = pageMeta(layout, { ...page, structured: [organizationSchema("https://it.example", mergedBrand({}))] });
  expect(meta.at(-1)).toMatchObject({
    "script:ld+json": { "@context": "https://schema.org", "@type": "Organization", url: "https://it.example/" },
  });
});

test("titles and previews name the effective brand, and nothing it leaves out", () => {
  const brand = mergedBrand({ name: "Acme IT", tagline: "", phone: "", address: [] });
  const matches = [{ id: "root", data: { brand } }, ...layout.slice(1)];
  const meta = pageMeta(matches, { ...page, structured: [organizationSchema("https://it.example", brand)] });
  expect(meta).toContainEqual({ title: "Services | Acme IT" });
  expect(meta).toContainEqual({ property: "og:site_name", content: "Acme IT" });
  expect(missingPageMeta(matches, "Page Not Found")).toContainEqual({ title: "Page Not Found | Acme IT" });
  const text = JSON.stringify(meta);
  expect(text).toContain('"name":"Acme IT"');
  expect(text).not.toMatch(/Wrenfield|slogan|telephone|"address"|undefined/);
});

test("the sitemap holds every service and every industry", () => {
  for (const { id } of services) expect(publicPaths).toContain(`/services/${id}`);
  for (const { slug } of industries) expect(publicPaths).toContain(`/industries/${slug}`);
  expect(publicPaths).toHaveLength(20);
});

test.each(industries)("$title is followed by the next three, beginning again at the end", (industry) => {
  const place = industries.indexOf(industry);
  const expected = [1, 2, 3].map((step) => industries[(place + step) % industries.length]);
  expect(otherIndustries(industries, industry)).toEqual(expected);
});
