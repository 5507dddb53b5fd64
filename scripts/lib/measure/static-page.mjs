import { createServer } from "node:http";

const STYLE =
  "body{font:17px/1.55 system-ui,sans-serif;margin:0;color:#041a21;background:#f1f6f7}" +
  "main{max-width:70rem;margin:auto;padding:1.5rem}h1{font-size:2.4rem;line-height:1.1}h2{font-size:1.6rem}";

/**
 * Serves what a static site builder makes of the same words: the headings and paragraphs of a page of ours in one
 * document with a dozen rules inside, no font and no script. Nothing that says as much can be painted sooner. Returns
 * `{origin, close}`.
 */
export async function staticPageOf(html) {
  const body = /<main[^>]*>(.*)<\/main>/s.exec(html)?.[1] ?? "";
  const parts = [...body.matchAll(/<(h[1-3]|p)\b[^>]*>(.*?)<\/\1>/gs)].map(([, tag, inner]) => {
    return `<${tag}>${inner.replace(/<[^>]+>/g, "")}</${tag}>`;
  });
  const title = /<title>[^<]*<\/title>/.exec(html)?.[0] ?? "";
  const page =
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">${title}<link rel="icon" href="data:,">` +
    `<style>${STYLE}</style></head><body><main>${parts.join("\n")}</main></body></html>`;
  const server = createServer((_, answer) => answer.writeHead(200, { "content-type": "text/html" }).end(page));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
