import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { brand } from "~/content/brand";
import { brandFile, manifestFile } from "~/features/icons/brand-file.server";
import { drawPicture } from "~/features/icons/draw-picture.server";
import { PICTURES, type PictureName, picturePath } from "~/features/icons/model";
import { pictureSize } from "~/features/settings/logo/picture-size";
import { brandColors } from "~/lib/brand-colors";
import { rgbOf } from "~/lib/color";

const ACME = { name: "Émile & Søn IT Services", tagline: "Done twice.", color: "#7a1fa2", initial: "É" };

/** Returns the colour of each pixel of a picture that we have drawn. */
function pixelsOf(bytes: Uint8Array): Map<string, number> {
  const file = Buffer.from(bytes);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    chunks.set(file.toString("latin1", at + 4, at + 8), file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const [palette, head] = [chunks.get("PLTE"), chunks.get("IHDR")];
  const width = (head?.readUInt32BE(0) ?? 0) + 1;
  const counts = new Map<string, number>();
  for (const [index, pixel] of inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0)).entries()) {
    if (index % width === 0) continue;
    const color = [...(palette?.subarray(3 * pixel, 3 * pixel + 3) ?? [])].join();
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  return counts;
}

test.each(Object.keys(PICTURES) as PictureName[])("%s is a picture of its size in the colours of the brand", (name) => {
  const bytes = drawPicture(ACME, name);
  expect(pictureSize("png", bytes)).toEqual(PICTURES[name]);
  const colors = pixelsOf(bytes);
  const { brand: own, deep } = brandColors(ACME.color);
  const ground = name === "preview.png" ? deep : own.light;
  const total = PICTURES[name].width * PICTURES[name].height;
  expect((colors.get(rgbOf(ground).join()) ?? 0) / total).toBeGreaterThan(0.5);
  expect((colors.get("255,255,255") ?? 0) / total).toBeGreaterThan(0.01);
});

test("a name that our font cannot write is shown by the mark, and one that is too long ends in dots", () => {
  for (const name of ["株式会社", "😀", "W".repeat(200), ""]) {
    const bytes = drawPicture({ ...ACME, name }, "preview.png");
    expect((pixelsOf(bytes).get("255,255,255") ?? 0) > 1_000, name).toBe(true);
  }
});

test("pictures of the default brand are files of the build; another name, color or tagline gives another address", () => {
  expect(picturePath(brand, "preview.png")).toBe("/images/preview.png");
  const paths = [ACME, { ...ACME, name: "Acme" }, { ...ACME, color: "" }, { ...ACME, tagline: "" }].map((one) =>
    picturePath(one, "preview.png"),
  );
  expect(new Set(paths).size).toBe(4);
  for (const path of paths) expect(path).toMatch(/^\/brand\/preview\.png\?of=\w+$/);
});

const publishedAs = (name: string) => async () => ({ version: 1, brand: { name }, values: { brandColor: "#7a1fa2" } });

test("a picture that is not of the settings which its address names is not kept", async () => {
  const cachingOf = async (brandNow: string, path: string) => {
    const request = { url: new URL(path, "https://example.test") } as never;
    const file = await brandFile(
      { publishedSettings: publishedAs(brandNow), files: {} as never, request },
      "touch.png",
    );
    return file?.headers.get("Cache-Control");
  };
  const path = picturePath({ ...brand, name: "Acme IT", color: "#7a1fa2" }, "touch.png");
  expect(await cachingOf("Acme IT", path)).toBe("public, max-age=86400");
  expect(await cachingOf("Former IT", path)).toBe("no-store");
});

test("the manifest names the company of the settings, and icons that exist", async () => {
  const request = { url: new URL("https://example.test/site.webmanifest") } as never;
  const ctx = { publishedSettings: publishedAs("Acme IT"), files: {} as never, request };
  const file = await manifestFile(ctx);
  expect(file.headers.get("Content-Type")).toBe("application/manifest+json");
  const { name, icons } = (await file.json()) as { name: string; icons: { src: string }[] };
  expect(name).toBe("Acme IT");
  for (const { src } of icons) {
    const icon = await brandFile(ctx, /^\/brand\/([^?]+)/.exec(src)?.[1]);
    expect(icon?.headers.get("Content-Type")).toBe("image/png");
  }
  expect(icons).toHaveLength(2);
});
