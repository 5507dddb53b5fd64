import { describe, expect, test } from "vitest";
import { parseClientManifest } from "../../../scripts/lib/client-manifest.mjs";

const route = { id: "root", path: "", module: "/build/root-1.js", imports: ["/build/shared-1.js"] };
const manifest = { entry: { module: "/build/entry-1.js" }, routes: { root: route }, url: "/build/manifest-1.js" };
const written = (content: unknown) => `window.__remixManifest=${JSON.stringify(content)};`;

test("the compiler's list of scripts is read as it is written", () => {
  expect(parseClientManifest(written(manifest))).toEqual(manifest);
});

describe("a list in another form is rejected", () => {
  test.each([
    ["without the assignment", JSON.stringify(manifest)],
    ["as a module", `export default ${JSON.stringify(manifest)};`],
    ["with something behind it", `${written(manifest)}export{};`],
    ["without an entry", written({ ...manifest, entry: undefined })],
    ["without routes", written({ ...manifest, routes: {} })],
    ["with a route that has no script", written({ ...manifest, routes: { root: { id: "root" } } })],
    ["with a route under another name", written({ ...manifest, routes: { other: route } })],
  ])("%s", (_, text) => {
    expect(() => parseClientManifest(text)).toThrow();
  });
});
