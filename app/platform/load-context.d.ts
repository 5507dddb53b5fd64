import type { Ctx } from "./context.server";

declare module "@remix-run/server-runtime" {
  interface AppLoadContext extends Ctx {}
}
