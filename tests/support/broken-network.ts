import type { Page } from "./browser-test";

const NOT_SAVED = "Not saved. Check your connection and try again.";

/** Holds the ways in which a form does not reach the product, or is not answered by it. */
export const FAILURES = {
  "no network": null,
  "an error page": { status: 500, contentType: "text/html", body: "<h1>Something went wrong</h1>" },
  "a bad gateway without a body": { status: 502, body: "" },
  "an outage": { status: 503, contentType: "text/html", body: "<h1>Unavailable</h1>" },
  "a page of the wireless network": { status: 200, contentType: "text/html", body: "<h1>Sign in to the café</h1>" },
} as const;

export type Failure = keyof typeof FAILURES;

/** Makes every request of scripts fail, as a broken network does; returns how to repair it. */
export async function breakNetwork(page: Page, failure: Failure) {
  const answer = FAILURES[failure];
  await page.route(/[?&]_data=/, (route) => (answer ? route.fulfill(answer) : route.abort()));
  return () => page.unroute(/[?&]_data=/);
}

/** Returns what a form says that was not saved. */
export const alert = (page: Page) => page.getByRole("alert").filter({ hasText: NOT_SAVED });

/** Returns the button in it that sends the form again. */
export const retry = (page: Page) => alert(page).getByRole("button", { name: "Retry" });
