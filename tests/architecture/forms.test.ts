import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { isMultiline } from "~/lib/form";

const APP = path.resolve(import.meta.dirname, "../../app");

const sources = readdirSync(APP, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => {
    const text = readFileSync(path.join(APP, file), "utf8");
    return { file, source: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX) };
  });

/**
 * Lists what shows the fields of any form: of other pages again, by the table itself; and of the settings, whose own
 * test looks at their names.
 */
const ANY_FORM = ["features/account/account-page.tsx", "features/settings-management/settings-page.tsx"];

const isTag = (node: ts.Node): node is ts.JsxOpeningElement | ts.JsxSelfClosingElement =>
  ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node);

/** Returns the attribute `name` of a tag: its text, null for an expression, undefined if there is none. */
function nameOf(tag: ts.JsxOpeningElement | ts.JsxSelfClosingElement): string | null | undefined {
  const attribute = tag.attributes.properties.find(
    (property): property is ts.JsxAttribute => ts.isJsxAttribute(property) && property.name.getText() === "name",
  );
  if (!attribute) return undefined;
  return attribute.initializer && ts.isStringLiteral(attribute.initializer) ? attribute.initializer.text : null;
}

/** Returns the name of a text area: its own, or that of the field around it. */
function fieldNameOf(area: ts.JsxOpeningElement | ts.JsxSelfClosingElement): string | null | undefined {
  const own = nameOf(area);
  if (own !== undefined) return own;
  for (let node: ts.Node = area.parent; node; node = node.parent) {
    if (ts.isJsxElement(node) && node.openingElement.tagName.getText() === "Field") return nameOf(node.openingElement);
  }
  return undefined;
}

function textAreas(): { file: string; name: string | null | undefined }[] {
  const found: { file: string; name: string | null | undefined }[] = [];
  for (const { file, source } of sources) {
    const visit = (node: ts.Node): void => {
      if (isTag(node) && node.tagName.getText() === "Textarea") found.push({ file, name: fieldNameOf(node) });
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

test("every text area keeps its line breaks: its name is in the table of fields", () => {
  const areas = textAreas().filter(({ file }) => !ANY_FORM.includes(file));
  expect(areas.length).toBeGreaterThan(2);
  expect(areas.filter(({ name }) => !name || !isMultiline(name))).toEqual([]);
});

test("every text area is the component of the design kit, so that this test finds it", () => {
  const raw = sources.filter(({ source }) => /<textarea\b/.test(source.text)).map(({ file }) => file);
  expect(raw).toEqual(["ui/form.tsx"]);
});

/** Lists the actions that receive no forms: machines and browsers post to them by themselves. */
const NO_FORMS = ["routes/backups.ts", "routes/csp-report.ts"];

test("every action runs through the table of its page", () => {
  const actions = sources.flatMap(({ file, source }) =>
    source.statements
      .filter(ts.isFunctionDeclaration)
      .filter(({ name }) => file.startsWith("routes/") && name?.text === "action")
      .map((declaration) => ({ file, text: declaration.body?.getText() ?? "" })),
  );
  expect(actions.length).toBeGreaterThan(10);
  const others = actions.filter(({ text }) => !/return runFormAction\(context, /.test(text)).map(({ file }) => file);
  expect(others).toEqual(NO_FORMS);
});

test("no feature reads the body of a response", () => {
  const unpacking = /await (\w+)\.json\(\)/;
  const features = sources.filter(({ file }) => /^(features|routes)\//.test(file) && !file.endsWith(".client.ts"));
  expect(features.filter(({ source }) => unpacking.test(source.text)).map(({ file }) => file)).toEqual([]);
});
