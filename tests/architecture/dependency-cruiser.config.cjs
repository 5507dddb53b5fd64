/*
 * The import rules of app/README.md. The compiler does not check them, and a wrong import either sends server code to
 * browsers or makes a feature depend on one that should be removable.
 */

/** Lists the features. Each may import itself and those before it. */
const FEATURES = [
  "users",
  "audit",
  "settings",
  "mail",
  "attachments",
  "pdf",
  "auth",
  "account",
  "sign-in",
  "conversation",
  "notes",
  "notifications",
  "subjects",
  "organizations",
  "contacts",
  "invitations",
  "members",
  "organization-settings",
  "organization-management",
  "user-management",
  "pricing",
  "submissions",
  "canned-replies",
  "tickets",
  "inbound-mail",
  "mail-setup",
  "privacy",
  "settings-management",
  "search",
  "analytics",
  "reports",
  "letters",
  "security",
  "archives",
  "exports",
  "import",
  "backup",
  "health",
  "setup",
  "site",
  "workspace",
  "portal",
];

/** Lists the layers that each layer may import. The root, the entries and the worker may import everything. */
const LAYERS = {
  lib: [],
  generated: [],
  access: ["lib"],
  content: ["lib"],
  ui: ["lib", "generated"],
  styles: ["ui"],
  db: ["lib"],
  lists: ["lib", "access", "db", "ui"],
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

const featureRules = FEATURES.map((feature, index) =>
  rule(
    `feature-${feature}`,
    `${feature} may import only itself and the features before it.`,
    { path: `^app/features/${feature}/` },
    { path: "^app/features/", pathNot: `^app/features/(${FEATURES.slice(0, index + 1).join("|")})/` },
  ),
);

module.exports = {
  forbidden: [
    ...layerRules,
    ...featureRules,
    rule(
      "listed-features",
      "Every feature is in the list above.",
      {},
      { path: "^app/features/", pathNot: `^app/features/(${FEATURES.join("|")})/` },
    ),
    rule(
      "no-server-code-in-browsers",
      "Code that also runs in browsers must not import server modules: the value would be undefined there.",
      { path: "^app/", pathNot: "\\.server\\.tsx?$|^app/(routes|jobs)/|^app/(root|worker|entry\\.server)\\.tsx?$" },
      { path: "\\.server\\.tsx?$", dependencyTypesNot: ["type-only"] },
    ),
    rule("no-cycles", "Modules that import each other belong in one module.", { path: "^app/" }, { circular: true }),
    rule(
      "no-scripts-in-app",
      "Commands and tests are not part of the product.",
      { path: "^app/" },
      { path: "^(scripts|tests)/" },
    ),
    rule(
      "no-missing-modules",
      "Every imported module exists.",
      { path: "^app/" },
      { couldNotResolve: true, pathNot: "^(cloudflare:|.*build/index\\.js$)" },
    ),
    rule(
      "no-development-packages",
      "Packages that the worker imports at run time are dependencies, not development dependencies.",
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
