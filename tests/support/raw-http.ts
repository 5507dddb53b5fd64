import http from "node:http";
import { beforeAll } from "vitest";
import { type BuiltWorker, sharedBuiltWorker } from "./built-worker";
import { signedInOn } from "./raw-session";

type RawRequest = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array[] };
export type RawResponse = { status: number; headers: http.IncomingHttpHeaders; body: string };

const ORIGIN = "http://localhost:8787";
export const FORM = { "content-type": "application/x-www-form-urlencoded" };
/** Holds the headers of a form sent from one of our own pages. */
export const OUR_FORM = { origin: ORIGIN, ...FORM };

/**
 * Has the shared built worker ready before the tests of a file. Its functions send requests exactly as given: other
 * clients normalize paths and headers. `pastFiles`: the requests are for no public file, and nobody looks for one,
 * which is a third of their time.
 */
export function rawClientOfBuiltWorker({ pastFiles = false } = {}) {
  let server: BuiltWorker;
  beforeAll(async () => {
    server = await sharedBuiltWorker();
  });
  function send(path: string, { method = "GET", headers = {}, body }: RawRequest = {}): Promise<RawResponse> {
    return new Promise((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port: pastFiles ? server.portPastFiles : server.port,
        path,
        method,
        headers: { host: "localhost:8787", "cf-connecting-ip": "127.0.0.1", ...headers },
      };
      const request = http.request(options, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      });
      request.on("error", reject);
      for (const chunk of typeof body === "string" ? [Buffer.from(body)] : (body ?? [])) request.write(chunk);
      request.end();
    });
  }
  const post = (headers: Record<string, string>, body = "a=b", path = "/contact") =>
    send(path, { method: "POST", headers, body });
  return {
    send,
    post,
    /** Sends a request as the runtime's own client does, which also opens sockets. It takes twice as long. */
    fetch: (...request: Parameters<BuiltWorker["fetch"]>) => server.fetch(...request),
    getEnv: <Bindings>() => server.getEnv<Bindings>(),
    /** Makes a person, and returns the header with the cookie of their session. */
    signedIn: async (role: "user" | "moderator" | "admin") =>
      signedInOn((await server.getEnv<{ DB: D1Database }>()).DB, role),
    runScheduledJobs: () => server.runScheduledJobs(),
    getPort: () => server.port,
    getLogs: () => server.getLogs(),
    clearLogs: () => server.clearLogs(),
  };
}
