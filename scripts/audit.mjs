/*
 * npm run audit: fails when a package that is shipped has a known hole rated high or critical. What is shipped are
 * production dependencies: the rules of imports let the application take nothing else. Where the registry does not
 * answer, it says so and passes, because a build must not depend on it.
 */
import { capture } from "./lib/child-process.mjs";
import { root } from "./lib/toolchain.mjs";

const isWindows = process.platform === "win32";
const options = ["--package-lock-only", "--omit=dev", "--omit=optional", "--audit-level=high"];
const audit = (...format) =>
  capture(isWindows ? "npm.cmd" : "npm", ["audit", ...options, ...format], { cwd: root, shell: isWindows });

// Some mirrors have the packages and no list of holes.
const { code, output } = await audit("--json", "--loglevel=silent");
if (!output.includes('"auditReportVersion"')) {
  console.log("Dependencies were NOT checked for known holes: the registry does not answer this question here.");
} else if (code === 0) {
  console.log("No high or critical findings in packages that are shipped");
} else {
  console.error((await audit()).output);
  process.exitCode = 1;
}
