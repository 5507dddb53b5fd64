import "@remix-run/dev/server-build";

declare module "@remix-run/dev/server-build" {
  /** Changes with whatever the build has compiled, for browsers or for the server. */
  export const version: string;
}
