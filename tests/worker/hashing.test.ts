import http from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestHarness } from "wrangler";
import { startBuiltWorker } from "../support/built-worker";
import { OURS, rawClient } from "../support/raw-http";

let server: TestHarness;
let port: string;
let token: string;
let people = 0;

beforeAll(async () => {
  server = await startBuiltWorker();
  ({ port } = (await server.listen()).url);
  const page = await rawClient(port).send("/auth");
  token = /name="form_token" value="([^"]+)"/.exec(page.body)?.[1] ?? "";
});
afterAll(async () => server.close());

/** Somebody at a network of their own who types a wrong password; `goneAfter`: and leaves before the answer. */
function signIn(goneAfter?: number): Promise<number> {
  people += 1;
  const fields = {
    form_token: token,
    intent: "sign-in",
    email: `nobody${people}@nowhere.example`,
    password: "Wrong!7",
  };
  const headers = { ...OURS, host: "localhost:8787", "cf-connecting-ip": `203.0.${people >> 8}.${people & 255}` };
  return new Promise((resolve) => {
    const options = { host: "127.0.0.1", port, path: "/auth", method: "POST", headers };
    const request = http.request(options, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    request.on("error", () => resolve(0));
    if (goneAfter !== undefined) setTimeout(() => request.destroy(), goneAfter);
    request.end(new URLSearchParams(fields).toString());
  });
}

const many = (count: number, goneAfter?: (place: number) => number) =>
  Promise.all(Array.from({ length: count }, (_, place) => signIn(goneAfter?.(place))));

test("many sign-ins at once are answered or told to come back, and afterwards signing in works as before", async () => {
  const answers = await many(30);
  expect(answers.filter((status) => status !== 400 && status !== 503)).toEqual([]);
  expect(answers.filter((status) => status === 400).length).toBeGreaterThanOrEqual(4);
  expect(await signIn()).toBe(400);
}, 60_000);

test("people who leave while they wait block nobody else", async () => {
  for (let round = 0; round < 3; round += 1) await many(12, (place) => 20 + 60 * place);
  // Whoever still waits has been told to come back by then.
  await expect.poll(() => signIn(), { timeout: 15_000 }).toBe(400);
  expect(await signIn()).toBe(400);
}, 60_000);

test("other pages answer while passwords are hashed", async () => {
  let isOver = false;
  const crowd = many(16).then(() => {
    isOver = true;
  });
  let pages = 0;
  while (!isOver) {
    expect((await rawClient(port).send("/auth")).status).toBe(200);
    if (!isOver) pages += 1;
  }
  await crowd;
  // A page that waited for its turn behind all of them would be one at most.
  expect(pages).toBeGreaterThan(2);
}, 60_000);
