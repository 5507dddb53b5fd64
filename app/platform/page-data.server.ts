import type { LoaderFunction, ServerBuild, TypedResponse } from "@remix-run/cloudflare";

/**
 * Returns the data of a page, as `json` of the framework does, without writing it as JSON: a document is rendered from
 * the values themselves, which is a tenth of what a list costs. For a script `writingData` writes it.
 */
export const pageData = <Data>(data: Data, init: ResponseInit = {}): TypedResponse<Data> =>
  new PageData(data, init) as unknown as TypedResponse<Data>;

/** Answers what the framework asks a response for when it renders a document. */
class PageData {
  readonly status: number;
  readonly statusText = "";
  readonly headers: Headers;
  readonly body = "not written";

  constructor(
    readonly data: unknown,
    init: ResponseInit,
  ) {
    this.status = init.status ?? 200;
    this.headers = new Headers(init.headers);
    this.headers.set("Content-Type", "application/json; charset=utf-8");
  }

  async json() {
    return this.data;
  }
}

/** Returns the routes so that their loaders return responses that can be sent. */
export function writingData(build: ServerBuild): ServerBuild {
  const routes = Object.entries(build.routes).map(([id, route]) => {
    const loader = route?.module.loader;
    return [
      id,
      route && loader ? { ...route, module: { ...route.module, loader: writing(loader as LoaderFunction) } } : route,
    ];
  });
  return { ...build, routes: Object.fromEntries(routes) };
}

// By shape: the worker and the compiled routes are two bundles, each with a class of its own.
const writing =
  (loader: LoaderFunction): LoaderFunction =>
  async (args) => {
    const answer = (await loader(args)) as PageData | Response | null;
    if (!answer || !("data" in answer)) return answer;
    const { data, status, headers } = answer;
    return new Response(JSON.stringify(data), { status, headers });
  };
