/** Leaves them out: the development mail pages must not exist in a production build, not merely answer 404 there. */
const developmentRoutes = process.env.APP_ENV === "production" ? ["**/dev.*"] : [];

/** @type {import('@remix-run/dev').AppConfig} */
export default {
  ignoredRouteFiles: ["**/.*", ...developmentRoutes],
  serverBuildPath: "build/index.js",
  serverModuleFormat: "esm",
  serverPlatform: "neutral",
  serverConditions: ["workerd", "worker", "browser"],
  serverMainFields: ["browser", "module", "main"],
  // Packages stay bare imports here: wrangler bundles the worker once, with everything in it.
  serverDependenciesToBundle: [],
  assetsBuildDirectory: "public/build",
  publicPath: "/build/",
  postcss: true,
  tailwind: false,
  dev: { port: 3001 },
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_lazyRouteDiscovery: false,
    // Off on purpose: single fetch streams loader data into the page, and a stream costs a
    // multiple of the CPU in workerd. See docs/decisions/0002-render-to-string.md.
    v3_singleFetch: false,
  },
};
