import { expect, test } from "vitest";
import { brand } from "~/content/brand";
import { industries } from "~/content/industries";
import { services } from "~/content/services";
import { mergedBrand } from "~/features/settings/brand-settings";
import { brandFile, manifestFile } from "~/features/site/brand-files.server";
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
  expect(publicPaths).toHaveLength(22);
});

test.each(industries)("$title is followed by the next three, beginning again at the end", (industry) => {
  const place = industries.indexOf(industry);
  const expected = [1, 2, 3].map((step) => industries[(place + step) % industries.length]);
  expect(otherIndustries(industries, industry)).toEqual(expected);
});

const contextOf = (own: object) => ({
  publishedSettings: async () => ({ version: 1, brand: own, values: { brandColor: "#7a1fa2" } }),
  files: {} as never,
});

const LOGO = { src: "/brand/logo-x.png", width: 64, height: 64 };

/** Returns the properties and links that pages say of the pictures of a brand. */
function picturesOf(own: object): string[] {
  const data = { brand: { ...brand, ...own } };
  return pageMeta([{ id: "root", data }], { title: "T", description: "D", path: "/x" }).flatMap((tag) => {
    if ("property" in tag && tag.property === "og:image") return [`preview ${tag.content}`];
    return "rel" in tag && tag.rel === "apple-touch-icon" ? [`icon ${tag.href}`] : [];
  });
}

test("the icon of another brand is its initial in its color, and a document in which nothing runs", async () => {
  const icon = await brandFile(contextOf({ name: `<script>& Sons` }), "icon.svg");
  const svg = await icon?.text();
  expect(icon?.headers.get("Content-Type")).toBe("image/svg+xml");
  expect(icon?.headers.get("Content-Security-Policy")).toMatch(/^sandbox; default-src 'none'/);
  expect(svg).toContain('fill="#7a1fa2"');
  expect(svg).not.toContain("<script");
});

test("the manifest names the company of the settings, and an icon that exists", async () => {
  const ctx = contextOf({ name: "Acme IT" });
  const file = await manifestFile(ctx);
  expect(file.headers.get("Content-Type")).toBe("application/manifest+json");
  const { name, icons } = (await file.json()) as { name: string; icons: { src: string }[] };
  expect(name).toBe("Acme IT");
  expect(icons.map(({ src }) => src)).toEqual(["/brand/icon.svg"]);
});

test("previews show the default brand, the logo of another one, or nothing: never the default for another name", () => {
  expect(picturesOf({})).toEqual(["preview /images/preview.png", "icon /images/apple-touch-icon.png"]);
  expect(picturesOf({ name: "Acme IT" })).toEqual([]);
  expect(picturesOf({ color: "#7a1fa2" })).toEqual([]);
  expect(picturesOf({ name: "Acme IT", logo: LOGO })).toEqual(["preview /brand/logo-x.png", "icon /brand/logo-x.png"]);
});

test("a wide logo is no icon of a phone", () => {
  expect(picturesOf({ logo: { ...LOGO, width: 640 } })).toEqual(["preview /brand/logo-x.png"]);
});
