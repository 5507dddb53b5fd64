import { createServer, request } from "node:http";
import { constants, gzipSync } from "node:zlib";

const TEXT = /^(text\/|application\/(javascript|json|manifest\+json|speculationrules\+json)|image\/svg)/;

/**
 * Starts a proxy of a local server that compresses text, as the platform's edge does; the local runtime does not.
 * Returns `{origin, close}`.
 */
export async function compressingProxy(target) {
  const server = createServer((asked, answer) => {
    const headers = { ...asked.headers, host: new URL(target).host };
    const forwarded = request(new URL(asked.url, target), { method: asked.method, headers }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => send(answer, response, Buffer.concat(chunks)));
    });
    forwarded.on("error", () => answer.writeHead(502).end());
    asked.pipe(forwarded);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // Under this name only the product answers (it checks the host), so the proxy takes it over.
    origin: `http://localhost:${server.address().port}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function send(answer, { statusCode, headers }, body) {
  const { "transfer-encoding": _, "content-length": __, ...retained } = headers;
  const compressible = TEXT.test(headers["content-type"] ?? "") && !headers["content-encoding"] && body.length > 0;
  const bytes = compressible ? gzipSync(body, { level: constants.Z_DEFAULT_COMPRESSION }) : body;
  if (compressible) retained["content-encoding"] = "gzip";
  answer.writeHead(statusCode, { ...retained, "content-length": bytes.length }).end(bytes);
}
