import { createRequestHandler } from "@remix-run/cloudflare";
import {
  Form,
  Link,
  Links,
  Meta,
  Outlet,
  RemixServer,
  Scripts,
  ScrollRestoration,
  useLoaderData,
} from "@remix-run/react";
import { createElement as h } from "react";
import { renderToString } from "react-dom/server.browser";

const ROWS = 25;
const LINKS = ["Dashboard", "Submissions", "Tickets", "Users", "Organizations", "Analytics", "Reports", "Settings"];

/**
 * Responds as the least application of Remix would that shows a list: a document, a layout with eight links, and
 * twenty-five rows with two links and a form each. Nobody signs in, nothing is asked, and no header is set. A page of
 * ours cannot cost less than this with the framework that it is made of (docs/decisions/0029).
 */
export const bareList = { fetch: (request) => handle(request, {}) };

const rows = Array.from({ length: ROWS }, (_, index) => ({
  id: `T-${1000 + index}`,
  subject: "Printer in the front office prints only half a page",
  organization: "Harbor House Counseling",
  person: `Henrik Solberg ${index}`,
  at: "2026-11-21T05:25:31.820Z",
}));

const loads = (data) => () => Response.json(data);
const routes = {
  root: { path: "", module: { default: Document, loader: loads({ name: "Wrenfield" }) } },
  layout: { parentId: "root", path: "admin", module: { default: Layout, loader: loads({ links: LINKS }) } },
  list: { parentId: "layout", path: "tickets", module: { default: List, loader: loads({ rows }) } },
};

const withIds = (make) => Object.fromEntries(Object.entries(routes).map(([id, route]) => [id, make(id, route)]));
const handle = createRequestHandler({
  entry: { module: { default: renderDocument } },
  routes: withIds((id, route) => ({ id, ...route })),
  assets: {
    version: "1",
    url: "/manifest.js",
    entry: { module: "/entry.js", imports: [] },
    routes: withIds((id, { parentId, path }) => ({ id, parentId, path, hasLoader: true, module: `/${id}.js` })),
  },
  publicPath: "/",
  assetsBuildDirectory: "public",
  future: {},
  isSpaMode: false,
  mode: "production",
});

function renderDocument(request, status, headers, context) {
  headers.set("Content-Type", "text/html; charset=utf-8");
  const markup = renderToString(h(RemixServer, { context, url: request.url }));
  return new Response(`<!DOCTYPE html>${markup}`, { status, headers });
}

function Document() {
  const head = h("head", null, h(Meta), h(Links));
  return h("html", { lang: "en" }, head, h("body", null, h(Outlet), h(ScrollRestoration), h(Scripts)));
}

function Layout() {
  const { links } = useLoaderData();
  const navigation = links.map((link) => h(Link, { key: link, to: `/admin/${link.toLowerCase()}` }, link));
  return h("div", null, h("nav", null, navigation), h("main", null, h(Outlet)));
}

function List() {
  const shown = useLoaderData().rows.map((row) => h(Row, { key: row.id, ...row }));
  return h("section", null, h("h1", null, "Tickets"), h("table", null, h("tbody", null, shown)));
}

function Row({ id, subject, organization, person, at }) {
  const path = `/admin/tickets/${id}`;
  const option = (value) => h("option", { key: value, value }, value);
  const status = h("select", { name: "status", defaultValue: "open" }, ["open", "waiting", "closed"].map(option));
  return h(
    "tr",
    { id },
    h("td", null, h("input", { type: "checkbox", name: "row", value: id, "aria-label": `Select ${id}` })),
    h("th", { scope: "row" }, h("small", null, id), h(Link, { to: path }, subject)),
    h("td", null, h("a", { href: "/admin/organizations" }, organization), h("small", null, person)),
    h("td", null, h("time", { dateTime: at }, "Nov 20, 23:25"), h("small", null, "due Mon 18:00")),
    h(
      "td",
      null,
      h(Form, { method: "post" }, status, h("button", { type: "submit", name: "save", value: id }, "Save")),
    ),
    h("td", null, h("span", null, "Unassigned"), h(Link, { to: path }, "View")),
  );
}
