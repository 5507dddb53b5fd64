import type { Ctx } from "./context.server";
import "@remix-run/dev/server-build";

declare module "@remix-run/server-runtime" {
  interface AppLoadContext extends Ctx {}
}

declare module "@remix-run/dev/server-build" {
  /** Changes with whatever the build has compiled, for browsers or for the server. */
  export const version: string;
}
