import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROUTES = path.resolve(import.meta.dirname, "../../app/routes");

const sources = readdirSync(ROUTES).map((file) => ({ file, text: readFileSync(path.join(ROUTES, file), "utf8") }));

/** Lists the prefixes of the files of hydrated areas, such as "_admin." */
const hydrated = sources
  .filter(({ text }) => /handle = \{[^}]*hydrate: true/.test(text))
  .map(({ file }) => file.replace(/tsx?$/, ""));

const inHydratedArea = sources.filter(({ file }) => hydrated.some((prefix) => file.startsWith(prefix)));

/** Returns the names a route takes from the modules that keep a page when a form is not saved. */
const taken = (text: string) =>
  [
    ...text.matchAll(/export \{([^}]*)\} from "~\/(?:ui\/form|live\/page-refresh|features\/workspace\/area-page)"/g),
  ].flatMap(([, names = ""]) => names.split(/\W+/));

test("hydrated areas are found", () => {
  expect(hydrated).toContain("_admin.");
  expect(inHydratedArea.length).toBeGreaterThan(8);
});

test("a form that is not saved never costs a hydrated page: its action answers in the browser", () => {
  const actions = inHydratedArea.filter(({ text }) => text.includes("export async function action"));
  expect(actions.length).toBeGreaterThan(4);
  expect(actions.filter(({ text }) => !taken(text).includes("clientAction")).map(({ file }) => file)).toEqual([]);
});

test("a form that is not saved never costs a hydrated page: it does not load its data again", () => {
  const pages = inHydratedArea.filter(({ text }) => /export default/.test(text) && /function loader/.test(text));
  expect(pages.length).toBeGreaterThan(6);
  expect(pages.filter(({ text }) => !taken(text).includes("shouldRevalidate")).map(({ file }) => file)).toEqual([]);
});

test("a page of a hydrated area that cannot be read again stays as it is", () => {
  const pages = inHydratedArea.filter(({ text }) => /export default/.test(text) && /function loader/.test(text));
  expect(pages.filter(({ text }) => !taken(text).includes("clientLoader")).map(({ file }) => file)).toEqual([]);
});
