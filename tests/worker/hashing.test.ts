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

type Answer = { status: number; retryAfter: string | undefined };

/** Signs in with a wrong password from a network of its own. Who goes away on `signal` gets status 0. */
function signIn(signal?: AbortSignal): Promise<Answer> {
  people += 1;
  const fields = {
    form_token: token,
    intent: "sign-in",
    email: `nobody${people}@nowhere.example`,
    password: "Wrong!7",
  };
  const headers = { ...OUR_FORM, host: "localhost:8787", "cf-connecting-ip": `203.0.${people >> 8}.${people & 255}` };
  return new Promise((resolve) => {
    const options = { host: "127.0.0.1", port: getPort(), path: "/auth", method: "POST", headers, signal };
    const request = http.request(options, (response) => {
      response.resume();
      const answer = { status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] };
      response.on("end", () => resolve(answer));
    });
    request.on("error", () => resolve({ status: 0, retryAfter: undefined }));
    request.end(new URLSearchParams(fields).toString());
  });
}

test("of many sign-ins at once, some of them aborted, each other is handled, pages are served meanwhile, and afterwards sign-ins work as before", async () => {
  let isOver = false;
  // The aborted ones stand between the others, and in the queue, where the runtime ends them without a word.
  const signIns = Promise.all(
    Array.from({ length: 6 }, (_, index) => {
      void signIn(AbortSignal.timeout(20 + 60 * index));
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
  // There are fewer than have places, so nobody loses patience.
  expect((await signIns).map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
  // If pages had to wait for all hashes, there would be one at most.
  expect(pages).toBeGreaterThan(2);
  // Whoever still stands in the queue without a browser is removed from it.
  await expect.poll(() => signIn(), { timeout: 60_000 }).toMatchObject({ status: 400 });
  expect(await signIn()).toMatchObject({ status: 400 });
}, 180_000);

test("when all places for hashes are taken further sign-ins get 503 and are told when to come again, and pages are served", async () => {
  const leaving = new AbortController();
  // Sixteen have places, about ten are hashed before others lose patience, and the rest is too many.
  const refused = Promise.any(
    Array.from({ length: 40 }, async () => {
      const answer = await signIn(leaving.signal);
      return answer.status === 400 ? Promise.reject(answer) : answer;
    }),
  );
  expect(await refused).toEqual({ status: 503, retryAfter: "2" });
  expect((await send("/auth")).status).toBe(200);
  leaving.abort();
  await expect.poll(() => signIn(), { timeout: 60_000 }).toMatchObject({ status: 400 });
}, 180_000);
