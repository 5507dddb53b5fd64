import { expect, test, vi } from "vitest";
import { createStyleInliner } from "~/platform/page-styles.server";

const link = (path: string) => `<link rel="stylesheet" href="${path}"/>`;
const styleSheets: Record<string, string> = {
  "/build/_assets/site-A.css": "p{color:red}",
  "/build/_assets/home-B.css": "h1{color:$&}",
  "/build/_assets/odd-C.css": "p{content:'</style>'}",
};

function inliner() {
  const readAsset = vi.fn(async (path: string) => styleSheets[path] ?? null);
  const withInlineStyles = createStyleInliner();
  return { readAsset, inline: (html: string) => withInlineStyles(html, readAsset) };
}

test("a page gets its style sheets inline, in their order, each with the hash of its text", async () => {
  const { inline } = inliner();
  const { html, styleHashes } = await inline(
    `<head>${link("/build/_assets/site-A.css")}${link("/build/_assets/home-B.css")}</head>`,
  );
  expect(html).toBe("<head><style>p{color:red}</style><style>h1{color:$&}</style></head>");
  expect(styleHashes).toEqual([
    // Computed with: printf %s 'p{color:red}' | openssl dgst -sha256 -binary | base64
    "'sha256-p0bF+un5yUb9MBO6xRb8kPHlY2BdpHVtLiFkDrZPF64='",
    "'sha256-WfK70d01OmmbgsSB1ROOJO3zLFoFtlRDfh6uc64+Pr4='",
  ]);
});

test("a style that the page has already, the colors of the brand, stays, and its hash is in the policy too", async () => {
  const { inline } = inliner();
  const { html, styleHashes } = await inline("<head><style>p{color:red}</style></head>");
  expect(html).toBe("<head><style>p{color:red}</style></head>");
  expect(styleHashes).toEqual(["'sha256-p0bF+un5yUb9MBO6xRb8kPHlY2BdpHVtLiFkDrZPF64='"]);
});

test("a style sheet is read once per isolate", async () => {
  const { inline, readAsset } = inliner();
  await inline(link("/build/_assets/site-A.css"));
  await inline(link("/build/_assets/site-A.css"));
  expect(readAsset).toHaveBeenCalledTimes(1);
});

test.each([
  ["is missing", async () => null],
  ["cannot be read", async () => Promise.reject(new Error("no files"))],
])("a style sheet that %s stays a link, and is read again for the next page", async (_, readResult) => {
  const { inline, readAsset } = inliner();
  const page = link("/build/_assets/site-A.css");
  readAsset.mockImplementationOnce(readResult);
  expect(await inline(page)).toEqual({ html: page, styleHashes: [] });
  expect((await inline(page)).html).toBe("<style>p{color:red}</style>");
});

test.each([
  "/build/_assets/odd-C.css",
  "https://elsewhere.example/x.css",
  "/other/x.css",
])("%s is never put into a page", async (path) => {
  const { inline } = inliner();
  expect(await inline(link(path))).toEqual({ html: link(path), styleHashes: [] });
});
