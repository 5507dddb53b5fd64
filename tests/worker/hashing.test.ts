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

const signInMany = (count: number, abortAfter?: (index: number) => number) =>
  Promise.all(Array.from({ length: count }, (_, index) => signIn(abortAfter?.(index))));

test("of many sign-ins at once each is handled or gets 503, other pages are served meanwhile, and afterwards sign-ins work as before", async () => {
  let isOver = false;
  const signIns = signInMany(20).finally(() => {
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
  expect(await signIn()).toBe(400);
}, 180_000);

test("aborted requests in the hash queue do not block the others", async () => {
  await signInMany(8, (index) => 20 + 60 * index);
  // By then their entries in the queue have been removed.
  await expect.poll(() => signIn(), { timeout: 60_000 }).toBe(400);
  expect(await signIn()).toBe(400);
}, 180_000);
