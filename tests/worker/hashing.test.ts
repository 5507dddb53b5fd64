import http from "node:http";
import { beforeAll, expect, test } from "vitest";
import { OUR_FORM, rawClientOfBuiltWorker } from "../support/raw-http";

const { send, getPort } = rawClientOfBuiltWorker();
let token: string;
let people = 0;

beforeAll(async () => {
  const page = await send("/auth");
  token = /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
});

/** Signs in with a wrong password from a network of its own. `abortAfter`: aborts the request after so many ms. */
function signIn(abortAfter?: number): Promise<number> {
  people += 1;
  const fields = {
    form_token: token,
    intent: "sign-in",
    email: `nobody${people}@nowhere.example`,
    password: "Wrong!7",
  };
  const headers = { ...OUR_FORM, host: "localhost:8787", "cf-connecting-ip": `203.0.${people >> 8}.${people & 255}` };
  return new Promise((resolve) => {
    const options = { host: "127.0.0.1", port: getPort(), path: "/auth", method: "POST", headers };
    const request = http.request(options, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", () => resolve(0));
    if (abortAfter !== undefined) setTimeout(() => request.destroy(), abortAfter);
    request.end(new URLSearchParams(fields).toString());
  });
}

test("of many sign-ins at once, some of them aborted, each other is handled or gets 503, pages are served meanwhile, and afterwards sign-ins work as before", async () => {
  let isOver = false;
  // The aborted ones stand between the others, and in the queue, where the runtime ends them without a word.
  const signIns = Promise.all(
    Array.from({ length: 6 }, (_, index) => {
      void signIn(20 + 60 * index);
      return signIn();
    }),
  ).finally(() => {
    isOver = true;
  });
  let pages = 0;
  while (!isOver) {
    expect((await send("/auth")).status).toBe(200);
    if (!isOver) pages += 1;
  }
  const statuses = await signIns;
  expect(statuses.filter((status) => status !== 400 && status !== 503)).toEqual([]);
  expect(statuses.filter((status) => status === 400).length).toBeGreaterThanOrEqual(4);
  // If pages had to wait for all hashes, there would be one at most.
  expect(pages).toBeGreaterThan(2);
  // Whoever still stands in the queue without a browser is removed from it.
  await expect.poll(() => signIn(), { timeout: 60_000 }).toBe(400);
  expect(await signIn()).toBe(400);
}, 180_000);
