import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const ROUTES = path.resolve(import.meta.dirname, "../../app/routes");

/** Names a route by its file, without what it ends in. */
const files = new Map(
  readdirSync(ROUTES)
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => [file.replace(/\.tsx?$/, ""), path.join(ROUTES, file)]),
);

/** Lists the routes by the names of their files: `_admin.admin.submissions.$submissionId`. */
export const routes: readonly string[] = [...files.keys()];

export const fileOf = (route: string): string => files.get(route) ?? "";
export const sourceOf = (route: string): string => readFileSync(fileOf(route), "utf8");

/** Returns the layout route that a route belongs to, which may be itself. */
export const layoutOf = (route: string): string | null => /^(_[a-z]+|dev)(?=\.|$)/.exec(route)?.[1] ?? null;

/** Tells whether a route has an address, and is not only the layout around others. */
export const isPage = (route: string): boolean => layoutOf(route) !== route;

/** Returns the segments of a route's address: `_admin.admin.submissions.$id` → `admin`, `submissions`, `$id`. */
const segmentsOf = (route: string): string[] =>
  route
    .replaceAll("[.]", "\0")
    .split(".")
    .filter((part) => !part.startsWith("_"))
    .map((part) =>
      part
        .replace(/_$/, "")
        // A file whose name ends in ".client" would be for browsers alone: the part is in brackets.
        .replace(/^\[(\w+)\]$/, "$1")
        .replaceAll("\0", "."),
    );

/**
 * Returns an address of a route, from its file name: `_admin.admin.submissions.$id` → `/admin/submissions/sample`.
 * `params`: what stands in the place of the parameters instead.
 */
export const addressOf = (route: string, params: Readonly<Record<string, string>> = {}): string =>
  `/${segmentsOf(route)
    .map((part) => (part.startsWith("$") ? (params[part.slice(1)] ?? "sample") : part))
    .join("/")}`;

/** Tells whether an address, without its query, has a route of its own. The page for everything else is none. */
export function hasRoute(address: string): boolean {
  const asked = address.split("/").filter((part) => part !== "");
  return routes.filter(isPage).some((route) => {
    const segments = segmentsOf(route);
    return (
      segments.length === asked.length &&
      segments.every((part, index) => part === asked[index] || (part.startsWith("$") && part !== "$"))
    );
  });
}
