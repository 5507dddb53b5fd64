import { expect, test } from "vitest";
import { deploymentState, environmentOf } from "../../../scripts/lib/production-settings.mjs";

const shell = "sh -c node scripts/build-for-wrangler.mjs";

test.each([
  ["node node_modules/wrangler/bin/wrangler.js deploy", "yes"],
  ["node node_modules/wrangler/bin/wrangler.js deploy --dry-run=false", "yes"],
  ["node node_modules/wrangler/bin/wrangler.js deploy --dry-run", "no"],
  ["npm exec wrangler deploy --dryRun --outdir out", "no"],
])("a call of %s is a deployment: %s", (line, state) => {
  expect(deploymentState("deploy", [shell, line])).toBe(state);
});

test("a command that deploys nothing is no deployment, whatever can be read", () => {
  for (const command of ["dev", "types", undefined]) expect(deploymentState(command, [])).toBe("no");
});

test("where no command line can be read, nobody knows whether it is a dry run", () => {
  expect(deploymentState("deploy", [])).toBe("unknown");
  expect(deploymentState("versions upload", [shell, "npm run something"])).toBe("unknown");
});

test.each([
  ["node node_modules/wrangler/bin/wrangler.js deploy --env staging", "staging"],
  ["npm exec wrangler deploy --env=staging", "staging"],
  ["npm exec wrangler deploy -e staging", "staging"],
  ["npm exec wrangler deploy", undefined],
])("a call of %s is for the environment %s", (line, env) => {
  expect(environmentOf([shell, line])).toBe(env);
});

test.each(["sh -e deploy.sh", "bash -e -o pipefail release.sh"])("%s around it names no environment", (script) => {
  expect(environmentOf([shell, "node node_modules/wrangler/bin/wrangler.js deploy", script])).toBeUndefined();
});
