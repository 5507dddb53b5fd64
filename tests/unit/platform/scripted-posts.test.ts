import { describe, expect, test } from "vitest";
import { readableByScript } from "~/platform/responses.server";

const post = (headers: Record<string, string> = {}) =>
  new Request("https://site.example/contact", { method: "POST", headers });
const redirectTo = (status: number) =>
  new Response(null, { status, headers: { Location: "/contact?sent=1", "Clear-Site-Data": '"cache"' } });

describe("the answer to a form that the script of its page has sent", () => {
  test.each([302, 303])("names the next page in place of a redirect %i, which a script cannot read", (status) => {
    const response = readableByScript(post({ "X-Scripted-Post": "1" }), redirectTo(status));
    expect(response.status).toBe(204);
    expect(response.headers.get("X-Next-Page")).toBe("/contact?sent=1");
    expect(response.headers.get("Location")).toBeNull();
    expect(response.headers.get("Clear-Site-Data")).toBe('"cache"');
  });

  test("leaves a redirect that repeats the post to the browser", () => {
    expect(readableByScript(post({ "X-Scripted-Post": "1" }), redirectTo(307)).status).toBe(307);
  });

  test("leaves a page with errors as it is", () => {
    const page = new Response("errors", { status: 400 });
    expect(readableByScript(post({ "X-Scripted-Post": "1" }), page)).toBe(page);
  });

  test("a form that the browser has sent itself is redirected", () => {
    expect(readableByScript(post(), redirectTo(303)).headers.get("Location")).toBe("/contact?sent=1");
  });
});
