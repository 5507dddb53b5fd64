/*
 * What the runtime runs while tests execute inside it. Tests call loaders, actions and commands themselves; only the
 * Durable Object must be reachable through its binding. Not the real worker, which would need a build first.
 */
export { LiveHub } from "~/live/hub.server";

export default { fetch: () => new Response(null, { status: 404 }) } satisfies ExportedHandler;
