/*
 * npm run audit: fails when a package that is shipped has a known hole rated high or critical. Tools that only build or
 * test are left out: nothing of them reaches a visitor. Where the registry does not answer, it says so and passes,
 * because a build must not depend on it.
 */
import { existsSync, readFileSync } from "node:fs";
import { findingsIn, isReport, packagesOf, productionPackages } from "./lib/audit-report.mjs";
import { capture } from "./lib/child-process.mjs";
import { inRoot, root } from "./lib/toolchain.mjs";

const read = (...path) => JSON.parse(readFileSync(inRoot(...path), "utf8"));

/** Returns the files that the last build has read, where there is one. */
function bundledFiles() {
  const lists = [
    [["build", "metafile.server.json"], ({ inputs }) => Object.keys(inputs)],
    [["build", "metafile.js.json"], ({ inputs }) => Object.keys(inputs)],
    [["dist", "worker.js.map"], ({ sources }) => sources],
  ];
  return lists.flatMap(([path, filesOf]) => (existsSync(inRoot(...path)) ? filesOf(read(...path)) : []));
}

function parsed(text) {
  try {
    return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  } catch {
    return null;
  }
}

const npm = process.platform === "win32" ? "npm.cmd" : "npm";
const command = ["audit", "--json", "--package-lock-only", "--audit-level=none", "--loglevel=silent"];
const { output } = await capture(npm, command, { cwd: root, shell: process.platform === "win32" });
const report = parsed(output);
if (!isReport(report)) {
  console.log("Dependencies were NOT checked for known holes: the registry does not answer this question here.");
  process.exit(0);
}

const production = productionPackages(read("package-lock.json"));
const bundled = packagesOf(bundledFiles());
const shipped = new Set([...production, ...bundled]);
const findings = findingsIn(report, shipped);
for (const { name, severity, title, url, range, places } of findings) {
  console.error(`✗ ${severity}: ${name} ${range}: ${title}\n  ${url}\n  ${places.join(", ")}`);
}
const scope = `${shipped.size} packages that are shipped${bundled.size > 0 ? "" : " (without what a build adds: there is none)"}`;
console.log(`${findings.length} high or critical findings in ${scope}`);
process.exitCode = findings.length > 0 ? 1 : 0;
