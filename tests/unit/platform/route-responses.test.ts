import { describe, expect, test } from "vitest";
import { idParam, redirectWithin } from "~/platform/responses.server";

describe("an id in an address", () => {
  const id = "sub_01m8354h3grbxmbjf6ya82t9ks";

  test("is taken as it is", () => {
    expect(idParam("sub", id)).toBe(id);
  });

  test.each([
    ["with a line break", `${id}\r\nSet-Cookie: a=b`],
    ["with a tab", `${id}\t`],
    ["with a null byte", `${id}\0`],
    ["with a path", "sub_../../users"],
    ["with capitals", id.toUpperCase()],
    ["of something else", id.replace("sub_", "org_")],
    ["that is empty", ""],
    ["that is missing", undefined],
  ])("%s is answered with 404 before anything reads it", (_, value) => {
    expect(() => idParam("sub", value)).toThrow(expect.objectContaining({ status: 404 }));
  });
});

test.each([
  ["/admin/submissions/a\r\nSet-Cookie: b=c"],
  ["/admin/\t/evil.example"],
  ["/\u2028evil"],
])("the target of a redirect has no byte that a header could not have: %j", (path) => {
  expect(redirectWithin(path).headers.get("Location")).toMatch(/^\/[\x21-\x7e]*$/);
});
