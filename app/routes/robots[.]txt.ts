import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

/** Areas with nothing for a search engine: they need an account, or hold a form for one. */
const CLOSED = ["/admin", "/client", "/profile", "/create-ticket", "/auth", "/login", "/logout"];

export function loader({ context }: LoaderFunctionArgs) {
  const lines = [
    "User-agent: *",
    ...CLOSED.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${context.config.APP_ORIGIN}/sitemap.xml`,
    "",
  ];
  return new Response(lines.join("\n"), {
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "public, max-age=86400" },
  });
}
