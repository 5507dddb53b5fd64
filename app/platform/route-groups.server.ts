import {
  type AppLoadContext,
  createRequestHandler,
  type RequestHandler,
  type ServerBuild,
} from "@remix-run/cloudflare";

/**
 * Returns the framework's request handler, made once for each first segment of an address and with the routes that can
 * match there. The framework ranks and compiles all routes it has, several times for each request: with fifty routes
 * that was half of what a page costs.
 */
export function createGroupedHandler(build: ServerBuild, mode?: string): RequestHandler {
  const firstSegments = new Set(
    Object.keys(build.routes).map((id) => firstSegmentOf(fullPath(build.routes, id)).toLowerCase()),
  );
  const handlers = new Map<string, RequestHandler>();
  return (request: Request, context?: AppLoadContext) => {
    const asked = firstSegmentOf(decoded(new URL(request.url).pathname)).toLowerCase();
    // Unknown segments share one handler, so that their number does not grow with what visitors ask for.
    const segment = firstSegments.has(asked) ? asked : null;
    const key = segment ?? "*";
    const handler = handlers.get(key) ?? createRequestHandler(routesUnder(build, segment), mode);
    handlers.set(key, handler);
    return handler(request, context);
  };
}

/**
 * Returns the build with the routes that an address with that first segment can match, and the layouts around them.
 * `segment` null: none of the fixed ones.
 */
export function routesUnder(build: ServerBuild, segment: string | null): ServerBuild {
  const kept = new Set<string>();
  for (const [id, { path, index }] of Object.entries(build.routes)) {
    // A layout without a path matches nothing of its own.
    if (path === undefined && !index) continue;
    const first = firstSegmentOf(fullPath(build.routes, id));
    if (!isFixed(first) || first.toLowerCase() === segment)
      for (const each of withLayouts(build.routes, id)) kept.add(each);
  }
  return {
    ...build,
    routes: only(build.routes, kept),
    assets: { ...build.assets, routes: only(build.assets.routes, kept) },
  };
}

type Routes = ServerBuild["routes"];

/** Lists a route and the layouts around it, innermost first. */
function withLayouts(routes: Routes, id: string): string[] {
  const parentId = routes[id]?.parentId;
  return parentId ? [id, ...withLayouts(routes, parentId)] : [id];
}

const fullPath = (routes: Routes, id: string): string =>
  withLayouts(routes, id)
    .map((each) => routes[each]?.path ?? "")
    .filter(Boolean)
    .reverse()
    .join("/");

const firstSegmentOf = (path: string): string => path.replace(/^\/+/, "").split("/")[0] ?? "";

/** Tells whether a segment matches only itself: neither a parameter nor a splat nor optional. */
const isFixed = (segment: string): boolean => segment !== "" && !/^[:*]|\?$/.test(segment);

/** Decodes a path as the router does, which matches a path that cannot be decoded as it is. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const only = <Value>(all: Record<string, Value>, kept: ReadonlySet<string>): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([id]) => kept.has(id)));
