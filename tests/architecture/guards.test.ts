import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";

const ROUTES = path.resolve(import.meta.dirname, "../../app/routes");

/** Matches the routes whose loaders and actions must start with a guard. */
const GUARDED_AREA = /^_(admin|portal|account)(\.|$)/;
/** Lists each guard with the number of its arguments. */
const GUARDS: Record<string, number> = {
  requireStaff: 2,
  requireMember: 2,
  requireFormMember: 3,
  requireClient: 1,
  requireUser: 1,
  requireAccount: 1,
};

/** Lists the routes that everybody may open. A new public route must be added here on purpose. */
const PUBLIC_ROUTES = [
  "[.]well-known.change-password",
  "_auth",
  "_auth.auth",
  "_auth.client.auth",
  "_auth.email-change",
  "_auth.invite",
  "_auth.login",
  "_auth.not-me",
  "_auth.setup",
  "_auth.solved",
  "_auth.stop-copies",
  "_auth.unsubscribe",
  "_auth.verify-email",
  "_site",
  "_site.$",
  "_site._index",
  "_site.contact",
  "_site.industries._index",
  "_site.industries.$slug",
  "_site.pricing",
  "_site.examples.letter",
  "_site.examples.ticket",
  "_site.promise",
  "_site.privacy",
  "_site.services._index",
  "_site.services.$serviceId",
  "_site.terms",
  "_site.why-us",
  "backups",
  "backups.$",
  "brand.$file",
  "csp-report",
  "dev.mail",
  "examples.letter[.]pdf",
  "dev.mail[.]json",
  "healthz",
  "logout",
  "robots[.]txt",
  "site[.]webmanifest",
  "sitemap[.]xml",
  "theme",
];

/** Lists the exports that the build removes from the browser's version of a route, with their imports. */
const SERVER_EXPORTS = ["loader", "action", "headers"];

const files = readdirSync(ROUTES).filter((file) => /\.tsx?$/.test(file));
const nameOf = (file: string) => file.replace(/\.tsx?$/, "");

function parse(file: string): ts.SourceFile {
  const text = readFileSync(path.join(ROUTES, file), "utf8");
  return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
}

const isExported = (node: ts.Node) =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

/** Returns the names a statement exports: of functions, constants and `export { … }`. */
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

/** Returns the guard that a function awaits in its first statement, or undefined. */
function openingGuard({ body }: ts.FunctionDeclaration): string | undefined {
  const first = body?.statements[0];
  if (!first) return undefined;
  const expression = ts.isVariableStatement(first)
    ? first.declarationList.declarations[0]?.initializer
    : ts.isExpressionStatement(first)
      ? first.expression
      : undefined;
  if (!expression || !ts.isAwaitExpression(expression) || !ts.isCallExpression(expression.expression)) return undefined;
  const { expression: callee, arguments: values } = expression.expression;
  const isComplete = values[0]?.getText() === "context" && values.length === GUARDS[callee.getText()];
  return isComplete ? callee.getText() : undefined;
}

/** Returns the local names of values from server modules. Types do not count: the build removes them. */
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

/** Returns the identifiers that a statement uses as values. `typeof` in a type does not count. */
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

test("the routes are found", () => {
  expect(files.length).toBeGreaterThan(5);
});

test("the folder of routes contains only routes", () => {
  expect(readdirSync(ROUTES).filter((file) => !/\.tsx?$/.test(file) || /\.(test|server)\./.test(file))).toEqual([]);
});

test("every route outside the guarded areas is in the list of public routes, and no other route is", () => {
  const outside = files.map(nameOf).filter((name) => !GUARDED_AREA.test(name));
  expect(outside.filter((name) => !PUBLIC_ROUTES.includes(name))).toEqual([]);
  expect(PUBLIC_ROUTES.filter((name) => GUARDED_AREA.test(name))).toEqual([]);
});

/** Lists the exports that handle requests. */
const HANDLERS = ["loader", "action"];

test.each(files.filter((file) => GUARDED_AREA.test(file)))("%s starts its loader and action with a guard", (file) => {
  const functions = parse(file).statements.filter(isFunctionNamed(HANDLERS)) as ts.FunctionDeclaration[];
  const unguarded = functions.filter((declaration) => !openingGuard(declaration));
  expect(unguarded.map(({ name }) => name?.text)).toEqual([]);
});

describe.each(files)("%s", (file) => {
  const { statements } = parse(file);

  test("declares its loader and action as functions, so that this test finds them", () => {
    const hidden = statements
      .filter((statement) => !isFunctionNamed(HANDLERS)(statement))
      .flatMap(exportedNames)
      .filter((name) => HANDLERS.includes(name) || name === "*");
    expect(hidden).toEqual([]);
  });

  test("uses server modules only in code that browsers do not get", () => {
    const imported = serverImports(parse(file));
    const others = statements.filter((statement) => {
      return !ts.isImportDeclaration(statement) && !isFunctionNamed(SERVER_EXPORTS)(statement);
    });
    const leaks = others.flatMap((statement) => [...mentioned(statement)]).filter((name) => imported.includes(name));
    expect(leaks).toEqual([]);
  });
});
