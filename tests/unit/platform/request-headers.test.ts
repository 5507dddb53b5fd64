import { expect, test } from "vitest";
import { clientIp, networkOf, networkPrefix } from "~/platform/request-headers.server";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:0db8:0001:0002::", "2001:db8:1:2::/64"],
  ["::1", "0:0:0:0::/64"],
])("%s counts as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test("two addresses of one /64 share a network, those of two do not", () => {
  expect(networkOf("2001:db8:1:2::aaaa")).toBe(networkOf("2001:db8:1:2:ffff:ffff:ffff:ffff"));
  expect(networkOf("2001:db8:1:2::1")).not.toBe(networkOf("2001:db8:1:3::1"));
});

test("a client cannot set its address by a header", () => {
  const headers = { "x-forwarded-for": "198.51.100.1", "x-real-ip": "198.51.100.1", "cf-connecting-ip": "203.0.113.7" };
  expect(clientIp(new Request("http://localhost/", { headers }))).toBe("203.0.113.7");
});

test.each([
  ["203.0.113.77", "203.0.113.0/24"],
  ["2001:0DB8:001f:2::aaaa", "2001:db8:1f::/48"],
  ["2001:db8::1", "2001:db8:0::/48"],
  ["", ""],
])("what a session keeps of %j is %j", (address, prefix) => {
  expect(networkPrefix(address)).toBe(prefix);
});
