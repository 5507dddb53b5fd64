import { createHash } from "node:crypto";
import http, { type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BuiltWorker, startBuiltWorker } from "../support/built-worker";

const ORIGIN = "http://localhost:8787";
const LEAKED = "Leaked!Horse7battery";

/** Holds the requests to the service. */
const requests: { url: string; padding: string | undefined }[] = [];
let respond: (response: ServerResponse, prefix: string) => void;
const service = http.createServer(({ url = "", headers }, response) => {
  requests.push({ url, padding: headers["add-padding"] as string | undefined });
  respond(response, url.split("/").at(-1) ?? "");
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

/** Submits the sign-up with a password. Returns the status and page of the response. */
async function signUp(password: string) {
  visitors += 1;
  requests.length = 0;
  const page = await (await server.fetch(`${ORIGIN}/client/auth?tab=create`)).text();
  const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const email = `visitor${visitors}@clinic.example`;
  const fields = { form_token, intent: "sign-up", full_name: "Priya Raman", email, organization_name: "" };
  const response = await server.fetch(`${ORIGIN}/client/auth?tab=create`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: ORIGIN, "CF-Connecting-IP": `198.51.100.${visitors}` },
    body: new URLSearchParams({ ...fields, password, confirm_password: password }),
  });
  return { status: response.status, body: await response.text() };
}

test("a leaked password is rejected, and only five characters of its hash are sent to the service", async () => {
  respond = withLines(line(LEAKED, 3));
  const response = await signUp(LEAKED);
  expect(response.status).toBe(400);
  expect(response.body).toContain("That password is too common");
  expect(requests).toEqual([{ url: `/range/${hashOf(LEAKED).slice(0, 5)}`, padding: "true" }]);
});

test("a password that is not listed, or only as padding, is accepted", async () => {
  respond = withLines();
  expect((await signUp(LEAKED)).status).toBe(303);
  respond = withLines(line(LEAKED, 0));
  expect((await signUp(LEAKED)).status).toBe(303);
});

test("a password that our own rules reject is not sent to the service", async () => {
  respond = withLines();
  expect((await signUp("P@ssw0rd!")).body).toContain("That password is too common");
  expect((await signUp("short")).status).toBe(400);
  expect(requests).toEqual([]);
});

test.each([
  ["fails", (response: ServerResponse) => response.writeHead(500).end()],
  ["breaks the connection", (response: ServerResponse) => response.destroy()],
  ["never responds", () => undefined],
] as const)("a service that %s does not prevent a sign-up", async (_, behaviour) => {
  respond = behaviour;
  expect((await signUp(LEAKED)).status).toBe(303);
  expect(requests).toHaveLength(1);
});
