import { expect, test } from "vitest";
import { attributionOf, sentAttribution } from "~/features/submissions/model";

const form = new URL("https://wrenfield.example/contact");
const withQuery = (query: string) => new URL(`https://wrenfield.example/contact?${query}`);

test("what a campaign's link says counts, on the form itself and on the page it led to first", () => {
  const said = { source: "newsletter", campaign: "spring" };
  expect(attributionOf(withQuery("utm_source=newsletter&utm_campaign=spring"), "https://www.bing.com/")).toEqual(said);
  expect(attributionOf(form, "https://wrenfield.example/pricing?utm_source=newsletter&utm_campaign=spring")).toEqual(
    said,
  );
});

test("without a campaign it is the foreign site or the page of ours", () => {
  expect(attributionOf(form, "https://www.bing.com/search?q=secret")).toEqual({
    source: "www.bing.com",
    campaign: null,
  });
  expect(attributionOf(form, "https://wrenfield.example/services/managed-it?x=1")).toEqual({
    source: "/services/managed-it",
    campaign: null,
  });
});

test("a foreign site cannot name a campaign, and nonsense names nothing", () => {
  const nothing = { source: null, campaign: null };
  expect(attributionOf(form, "https://evil.example/?utm_campaign=ours")).toEqual({
    source: "evil.example",
    campaign: null,
  });
  expect(attributionOf(form, "")).toEqual(nothing);
  expect(attributionOf(form, "android-app://com.example/")).toEqual(nothing);
  expect(attributionOf(form, "https://wrenfield.example/contact?sent=1")).toEqual(nothing);
});

test("what the form brings back is cut and cleaned, never rejected", () => {
  expect(sentAttribution({ source: "a\u0000b\n", campaign: "x".repeat(500) })).toEqual({
    source: "a b",
    campaign: "x".repeat(100),
  });
});
