import { expect, test } from "vitest";
import { brand } from "~/content/brand";
import { brandFile, manifestFile } from "~/features/site/brand-files.server";
import { pageMeta } from "~/features/site/seo";

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
