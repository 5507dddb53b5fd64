declare module "*.css" {
  const url: string;
  export default url;
}

declare module "*.woff2" {
  const url: string;
  export default url;
}

declare module "*/build/index.js" {
  import type { ServerBuild } from "@remix-run/cloudflare";

  const build: ServerBuild;
  export = build;
}
