import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { publicPaths } from "~/features/site/seo";

export function loader({ context }: LoaderFunctionArgs) {
  const entries = publicPaths.map((path) => `<url><loc>${context.config.APP_ORIGIN}${path}</loc></url>`);
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join("\n")}
</urlset>
`;
  return new Response(xml, {
    headers: { "Content-Type": "application/xml; charset=utf-8", "Cache-Control": "public, max-age=86400" },
  });
}
