import { createHash } from "node:crypto";
import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltWorker, startBuiltWorker } from "../support/built-worker";

const ORIGIN = "http://localhost:8787";

/** Holds the requests to the service. */
const requests: { url: string; padding: string | undefined }[] = [];
/** Holds what it answers, by the beginning of the hash. */
const answers = new Map<string, (response: ServerResponse) => unknown>();
const service = http.createServer(({ url = "", headers }, response) => {
  requests.push({ url, padding: headers["add-padding"] as string | undefined });
  answers.get(url)?.(response);
});

const hashOf = (password: string) => createHash("sha1").update(password).digest("hex").toUpperCase();
const line = (password: string, times: number) => `${hashOf(password).slice(5)}:${times}`;
const withLines =
  (...lines: string[]) =>
  (response: ServerResponse) =>
    response.end(["0018A45C4D1DEF81644B54AB7F969B88D65:1", ...lines].join("\r\n"));

let server: BuiltWorker;

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = service.address() as AddressInfo;
  server = await startBuiltWorker({ PWNED_CHECK: "1", PWNED_API_URL: `http://127.0.0.1:${port}/range/` });
});
afterAll(async () => {
  await server.close();
  service.closeAllConnections();
  service.close();
});

let visitors = 0;

/**
 * Submits the sign-up with a password, whatever others do meanwhile. Returns the status and page of the response, and
 * the requests to the service, which answers by `answer`.
 */
async function signUp(password: string, answer: (response: ServerResponse) => unknown) {
  visitors += 1;
  const visitor = visitors;
  const url = `/range/${hashOf(password).slice(0, 5)}`;
  answers.set(url, answer);
  const page = await (await server.fetch(`${ORIGIN}/client/auth?tab=create`)).text();
  const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const email = `visitor${visitor}@clinic.example`;
  const fields = { form_token, intent: "sign-up", full_name: "Priya Raman", email, organization_name: "" };
  const response = await server.fetch(`${ORIGIN}/client/auth?tab=create`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: ORIGIN, "CF-Connecting-IP": `198.51.100.${visitor}` },
    body: new URLSearchParams({ ...fields, password, confirm_password: password }),
  });
  const asked = requests.filter((request) => request.url.startsWith(url));
  return { status: response.status, body: await response.text(), asked };
}

describe.concurrent("the service for leaked passwords", () => {
  test("rejects one that is leaked, and gets only five characters of its hash", async () => {
    const password = "Leaked!Horse7battery";
    const { status, body, asked } = await signUp(password, withLines(line(password, 3)));
    expect(status).toBe(400);
    expect(body).toContain("That password is too common");
    expect(asked).toEqual([{ url: `/range/${hashOf(password).slice(0, 5)}`, padding: "true" }]);
  });

  test.each([
    ["that is not listed", () => withLines()],
    ["that is listed only as padding", (password: string) => withLines(line(password, 0))],
    ["while the service fails", () => (response: ServerResponse) => response.writeHead(500).end()],
    ["while it breaks the connection", () => (response: ServerResponse) => response.destroy()],
    ["while it never responds", () => () => undefined],
  ])("lets a password pass %s", async (which, answerTo) => {
    const password = `Horse7battery ${which}!`;
    const { status, asked } = await signUp(password, answerTo(password));
    expect([status, asked.length]).toEqual([303, 1]);
  });
});

test("a password that our own rules reject is not sent to the service", async () => {
  const before = requests.length;
  expect((await signUp("P@ssw0rd!", withLines())).body).toContain("That password is too common");
  expect((await signUp("short", withLines())).status).toBe(400);
  expect(requests.slice(before)).toEqual([]);
});
