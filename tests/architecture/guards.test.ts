import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const ROUTES = path.resolve(import.meta.dirname, "../../app/routes");

/** Areas of which every loader and action opens with a guard. */
const GUARDED_AREA = /^_(admin|portal|account)(\.|$)/;
const GUARDS = ["requireStaff", "requireMember", "requireUser", "requireAccount"];

/** Everything that anybody may open. A new public address is a decision, so it is written down here. */
const PUBLIC_ROUTES = [
  "[.]well-known.change-password",
  "_auth",
  "_auth.auth",
  "_auth.client.auth",
  "_auth.email-change",
  "_auth.login",
  "_auth.not-me",
  "_auth.setup",
  "_auth.verify-email",
  "_site",
  "_site.$",
  "_site._index",
  "_site.contact",
  "_site.industries._index",
  "_site.industries.$slug",
  "_site.pricing",
  "_site.privacy",
  "_site.services._index",
  "_site.services.$serviceId",
  "_site.terms",
  "_site.why-us",
  "csp-report",
  "dev.mail",
  "dev.mail[.]json",
  "healthz",
  "logout",
  "robots[.]txt",
  "sitemap[.]xml",
  "theme",
];

/** What the browser's copy of a route drops, and with it the imports only these use. */
const SERVER_EXPORTS = ["loader", "action", "headers"];

const files = readdirSync(ROUTES).filter((file) => /\.tsx?$/.test(file));
const nameOf = (file: string) => file.replace(/\.tsx?$/, "");

function parse(file: string): ts.SourceFile {
  const text = readFileSync(path.join(ROUTES, file), "utf8");
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
}

const isExported = (node: ts.Node) =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

/** Names a statement exports: of functions, constants and `export { … }`. */
function exportedNames(statement: ts.Statement): string[] {
  if (ts.isExportDeclaration(statement)) {
    const clause = statement.exportClause;
    return clause && ts.isNamedExports(clause) ? clause.elements.map(({ name }) => name.text) : ["*"];
  }
  if (!isExported(statement)) return [];
  if (ts.isFunctionDeclaration(statement)) return statement.name ? [statement.name.text] : [];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.map(({ name }) => name.getText());
}

const isFunctionNamed = (names: string[]) => (statement: ts.Statement) =>
  ts.isFunctionDeclaration(statement) && isExported(statement) && names.includes(statement.name?.text ?? "");

/** The guard that a function awaits before it does anything else, or undefined. */
function openingGuard({ body }: ts.FunctionDeclaration): string | undefined {
  const first = body?.statements[0];
  if (!first) return undefined;
  const expression = ts.isVariableStatement(first)
    ? first.declarationList.declarations[0]?.initializer
    : ts.isExpressionStatement(first)
      ? first.expression
      : undefined;
  if (!expression || !ts.isAwaitExpression(expression) || !ts.isCallExpression(expression.expression)) return undefined;
  const { expression: callee, arguments: given } = expression.expression;
  const isComplete = given[0]?.getText() === "context" && (callee.getText() !== "requireStaff" || given.length === 2);
  return GUARDS.includes(callee.getText()) && isComplete ? callee.getText() : undefined;
}

/** Local names of values that come from server modules. Types vanish in the build and do not count. */
function serverImports(source: ts.SourceFile): string[] {
  return source.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    const isServer = /\.server$/.test((moduleSpecifier as ts.StringLiteral).text);
    if (!isServer || !importClause || importClause.isTypeOnly) return [];
    const bindings = importClause.namedBindings;
    const named =
      bindings && ts.isNamedImports(bindings) ? bindings.elements.filter(({ isTypeOnly }) => !isTypeOnly) : [];
    const all = bindings && ts.isNamespaceImport(bindings) ? [bindings] : named;
    return [importClause.name, ...all.map(({ name }) => name)].flatMap((name) => (name ? [name.text] : []));
  });
}

/** Identifiers a statement mentions as values; `typeof` in a type is none. */
function mentioned(statement: ts.Statement): Set<string> {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return names;
}

test("there are routes to look at", () => {
  expect(files.length).toBeGreaterThan(5);
});

test("nothing but routes lies among the routes", () => {
  expect(readdirSync(ROUTES).filter((file) => !/\.tsx?$/.test(file) || /\.(test|server)\./.test(file))).toEqual([]);
});

test("a route outside the guarded areas stands on the list of public ones, and none of these is guarded", () => {
  const outside = files.map(nameOf).filter((name) => !GUARDED_AREA.test(name));
  expect(outside.filter((name) => !PUBLIC_ROUTES.includes(name))).toEqual([]);
  expect(PUBLIC_ROUTES.filter((name) => GUARDED_AREA.test(name))).toEqual([]);
});

/** What a route answers requests with. */
const SERVED = ["loader", "action"];

test.each(files.filter((file) => GUARDED_AREA.test(file)))("%s opens its loader and action with a guard", (file) => {
  const functions = parse(file).statements.filter(isFunctionNamed(SERVED)) as ts.FunctionDeclaration[];
  const unguarded = functions.filter((declaration) => !openingGuard(declaration));
  expect(unguarded.map(({ name }) => name?.text)).toEqual([]);
});

describe.each(files)("%s", (file) => {
  const { statements } = parse(file);

  test("declares its loader and action as functions, where this test can see them", () => {
    const hidden = statements
      .filter((statement) => !isFunctionNamed(SERVED)(statement))
      .flatMap(exportedNames)
      .filter((name) => SERVED.includes(name) || name === "*");
    expect(hidden).toEqual([]);
  });

  test("uses server modules in what the browser never gets, and nowhere else", () => {
    const imported = serverImports(parse(file));
    const others = statements.filter((statement) => {
      return !ts.isImportDeclaration(statement) && !isFunctionNamed(SERVER_EXPORTS)(statement);
    });
    const leaks = others.flatMap((statement) => [...mentioned(statement)]).filter((name) => imported.includes(name));
    expect(leaks).toEqual([]);
  });
});
