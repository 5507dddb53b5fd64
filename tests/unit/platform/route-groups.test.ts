import {
  type AppLoadContext,
  createRequestHandler,
  type RequestHandler,
  type ServerBuild,
} from "@remix-run/cloudflare";
import { describe, expect, test } from "vitest";
import { createGroupedHandler } from "~/platform/route-groups.server";

const answering = (text: string) => ({ default: () => null, loader: () => new Response(text) });

/** Builds an application whose routes answer with their id: root, a site, an admin area, and a page for the rest. */
function application(): ServerBuild {
  const route = (id: string, parentId?: string, path?: string, index?: boolean) => ({ id, parentId, path, index });
  const routes = [
    route("root", undefined, ""),
    route("site", "root"),
    route("home", "site", undefined, true),
    route("pricing", "site", "pricing"),
    route("missing", "site", "*"),
    route("admin-frame", "root"),
    route("admin", "admin-frame", "admin"),
    route("submissions", "admin", "submissions"),
    route("submission", "admin", "submissions/:id"),
    route("client", "root", "client/:organization?"),
  ];
  const resource = { ...answering(""), default: undefined };
  return {
    mode: "production",
    basename: "/",
    publicPath: "/build/",
    assetsBuildDirectory: "public/build",
    isSpaMode: false,
    future: {},
    entry: { module: { default: () => new Response("page") } },
    assets: {
      entry: { module: "", imports: [] },
      routes: Object.fromEntries(routes.map((each) => [each.id, { id: each.id, module: "", hasLoader: true }])),
      url: "",
      version: "1",
    },
    routes: Object.fromEntries(
      routes.map((each) => [each.id, { ...each, module: { ...resource, loader: () => new Response(each.id) } }]),
    ),
  } as unknown as ServerBuild;
}

/** Returns the routes that the framework has when it renders the page of a path: of the server, and of the manifest. */
async function groupOf(path: string) {
  const build = application();
  const pages = Object.values(build.routes).map((route) => {
    const loader = () => null;
    return [route.id, { ...route, module: { ...route.module, loader, default: () => null } }];
  });
  let group: { server: string[]; manifest: string[] } | undefined;
  const render: ServerBuild["entry"]["module"]["default"] = (_request, _status, _headers, framework) => {
    const { routeModules, manifest } = framework;
    group = { server: Object.keys(routeModules).sort(), manifest: Object.keys(manifest.routes).sort() };
    return new Response("page");
  };
  const entry = { module: { default: render } };
  const handler = createGroupedHandler({ ...build, entry, routes: Object.fromEntries(pages) }, "production");
  await handler(new Request(`https://site.example${path}`), {} as AppLoadContext);
  return group;
}

const idsFor = async (path: string) => (await groupOf(path))?.server;

describe("the routes for an address", () => {
  test("a list sees its own route, the layouts around it, and the page for missing ones", async () => {
    expect(await idsFor("/admin/submissions")).toEqual([
      "admin",
      "admin-frame",
      "missing",
      "root",
      "site",
      "submissions",
    ]);
  });

  test("a parameter stands for any segment, but not for none", async () => {
    expect(await idsFor("/admin/submissions/sub_1")).toEqual([
      "admin",
      "admin-frame",
      "missing",
      "root",
      "site",
      "submission",
    ]);
    expect(await idsFor("/client/clinic")).toEqual(["client", "missing", "root", "site"]);
    expect(await idsFor("/client")).toEqual(["client", "missing", "root", "site"]);
  });

  test("an unknown address sees only what may match anything", async () => {
    expect(await idsFor("/wp-login.php")).toEqual(["missing", "root", "site"]);
  });

  test("the manifest of a group has the same routes, so that a page links the scripts of its own", async () => {
    const group = await groupOf("/pricing");
    expect(group?.manifest).toEqual(["missing", "pricing", "root", "site"]);
    expect(group?.server).toEqual(group?.manifest);
  });
});

describe("the grouped handler", () => {
  const answered = async (handler: RequestHandler, path: string) =>
    (await handler(new Request(`https://site.example${path}`), {} as AppLoadContext)).text();

  test.each([
    ["/", "home"],
    ["/pricing", "pricing"],
    ["/PRICING", "pricing"],
    ["/%70ricing", "pricing"],
    ["/pricing/", "pricing"],
    ["//pricing", "missing"],
    ["/admin//submissions", "missing"],
    ["/admin/submissions/", "submissions"],
    ["/ADMIN/Submissions/sub_1", "submission"],
    ["/admin/submissions/a%2Fb", "submission"],
    ["/admin/submissions/%zz", "submission"],
    ["/pricing/more", "missing"],
    ["/admin", "admin"],
    ["/admin/submissions", "submissions"],
    ["/admin/submissions/sub_1", "submission"],
    ["/admin/none", "missing"],
    ["/client", "client"],
    ["/client/clinic", "client"],
    ["/submissions", "missing"],
    ["/%zz", "missing"],
  ])("%s is answered by the route that all routes together would choose", async (path, id) => {
    expect(await answered(createGroupedHandler(application(), "production"), path)).toBe(id);
    expect(await answered(createRequestHandler(application(), "production"), path)).toBe(id);
  });
});
