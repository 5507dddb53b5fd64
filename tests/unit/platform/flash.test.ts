import { beforeEach, expect, test } from "vitest";
import { FLASH_COOKIE, keepUnshownFlash, setFlash, takeFlash } from "~/platform/flash.server";

const MESSAGE = { kind: "success", title: "Left", message: "You have left Reed Studio." } as const;
const NOW = Date.UTC(2026, 10, 22);

/** Holds the cookie that the browser has, as requests and responses change it. */
let cookie = "";
const sent: string[] = [];

/** Returns the context of one request of the browser. Its responses arrive in the order of `setCookie`. */
const requestOf = (address: string, now = NOW) => ({
  config: { FORM_KEY_1: "a".repeat(43) } as never,
  now: () => now,
  request: { url: new URL(address, "https://wrenfield.example"), cookies: new Map([[FLASH_COOKIE, cookie]]) } as never,
  setCookie: (header: string) => {
    sent.push(header);
    cookie = header.slice(FLASH_COOKIE.length + 1).split(";")[0] ?? "";
  },
});

beforeEach(() => {
  setFlash(requestOf("/client/organization/leave"), MESSAGE);
  sent.length = 0;
});

test("a page that reads its data again while the next document is on its way takes no message", () => {
  expect(takeFlash(requestOf("/client/organization?_data=routes%2F_portal"))).toBeNull();
  expect(sent).toEqual([]);
  expect(takeFlash(requestOf("/client"))).toEqual(MESSAGE);
  expect(takeFlash(requestOf("/client"))).toBeNull();
});

test("a message that nobody saw within a minute is over, and one that we did not sign never shows", () => {
  expect(takeFlash(requestOf("/client", NOW + 61_000))).toBeNull();
  cookie = `${Buffer.from(JSON.stringify(["success", "Pay", "here", NOW])).toString("base64url")}.x`;
  expect(takeFlash(requestOf("/client"))).toBeNull();
});

test.each([
  ["a page", 200, true],
  ["the page of an address that leads nowhere", 404, true],
  ["a redirect", 302, false],
  ["the page of an outage", 503, false],
])("with %s (%s) the message counts as shown: %s", (_, status, isShown) => {
  takeFlash(requestOf("/client"));
  const response = new Response(null, { status });
  const session = "__Host-sid=; Max-Age=0";
  expect(keepUnshownFlash(response, [...sent, session])).toEqual(isShown ? [...sent, session] : [session]);
  setFlash(requestOf("/client"), MESSAGE);
  expect(keepUnshownFlash(response, sent)).toContain(sent.at(-1));
});
