/*
 * Who may import whom: the plan in app/README.md as rules. The compiler enforces none of it, and a wrong import either
 * ships server code to browsers or ties together what was meant to be deleted separately.
 */

/** A feature may import itself and those before it, from foundation to roof. */
const FEATURES = [
  "users",
  "audit",
  "settings",
  "mail",
  "attachments",
  "auth",
  "account",
  "sign-in",
  "organizations",
  "invitations",
  "notifications",
  "notes",
  "subjects",
  "pricing",
  "submissions",
  "promises",
  "canned-replies",
  "tickets",
  "inbound",
  "quotes",
  "search",
  "analytics",
  "reports",
  "security",
  "privacy",
  "exports",
  "imports",
  "health",
  "setup",
  "site",
  "workspace",
];

/** For each layer, what else of the application it may import. The root, the entries and the worker are free. */
const LAYERS = {
  lib: [],
  generated: [],
  access: ["lib"],
  content: ["lib"],
  ui: ["lib"],
  styles: ["ui"],
  db: ["lib"],
  lists: ["lib", "db"],
  live: ["lib", "access", "db"],
  platform: ["lib", "access", "db", "live"],
  features: ["lib", "generated", "access", "content", "ui", "db", "lists", "live", "platform"],
  jobs: ["lib", "access", "db", "live", "platform", "features"],
  routes: ["lib", "generated", "access", "content", "ui", "styles", "lists", "live", "platform", "features"],
};

const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const layerRules = Object.entries(LAYERS).map(([layer, allowed]) =>
  rule(
    `layer-${layer}`,
    `${layer} may import ${allowed.join(", ") || "nothing else of the application"}.`,
    { path: `^app/${layer}/` },
    { path: "^app/", pathNot: `^app/(${[layer, ...allowed].join("|")})/` },
  ),
);

const featureRules = FEATURES.map((feature, place) =>
  rule(
    `feature-${feature}`,
    `${feature} may import only itself and the features before it.`,
    { path: `^app/features/${feature}/` },
    { path: "^app/features/", pathNot: `^app/features/(${FEATURES.slice(0, place + 1).join("|")})/` },
  ),
);

module.exports = {
  forbidden: [
    ...layerRules,
    ...featureRules,
    rule(
      "known-features",
      "Every feature has its place in the order above.",
      {},
      { path: "^app/features/", pathNot: `^app/features/(${FEATURES.join("|")})/` },
    ),
    rule(
      "shared-code-sees-no-server",
      "Code that also runs in browsers must not import server modules: the value would be undefined there.",
      { path: "^app/", pathNot: "\\.server\\.tsx?$|^app/(routes|jobs)/|^app/(root|worker|entry\\.server)\\.tsx?$" },
      { path: "\\.server\\.tsx?$", dependencyTypesNot: ["type-only"] },
    ),
    rule("no-cycles", "Modules that need each other are one module.", { path: "^app/" }, { circular: true }),
    rule(
      "app-sees-no-scripts",
      "Commands and tests are not part of the product.",
      { path: "^app/" },
      { path: "^(scripts|tests)/" },
    ),
    rule(
      "everything-is-found",
      "An import that leads nowhere.",
      { path: "^app/" },
      { couldNotResolve: true, pathNot: "^(cloudflare:|.*build/index\\.js$)" },
    ),
    rule(
      "no-development-packages",
      "What the worker imports at run time is a dependency, not a development dependency.",
      { path: "^app/" },
      { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"], pathNot: "@remix-run/dev/server-build" },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^build/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["workerd", "import", "require", "node", "default", "types"],
    },
  },
};
