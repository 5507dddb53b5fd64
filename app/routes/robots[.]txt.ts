import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { hiddenFromRobots } from "~/lib/areas";

export function loader({ context }: LoaderFunctionArgs) {
  const lines = [
    "User-agent: *",
    ...hiddenFromRobots.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${context.config.APP_ORIGIN}/sitemap.xml`,
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=86400" },
  });
}
