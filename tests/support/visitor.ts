import { vi } from "vitest";
import { openBrowser } from "./browser";
import { type TestContext, testContext } from "./context";

let visitors = 0;

/** Returns the context of another visitor, on a network of its own: limits count by network. */
export function visitorContext(): TestContext {
  visitors += 1;
  const network = `198.18.${Math.floor(visitors / 250)}.${1 + (visitors % 250)}`;
  return testContext({ facts: { ip: network, network } });
}

export type Visitor = {
  ctx: TestContext;
  browser: ReturnType<typeof openBrowser>;
  /** Tells this visitor from all others, for example in an email address. */
  number: number;
};

/**
 * Opens the browser of another visitor. The least time that an answer about a password takes is left out until the end
 * of the test; that it is kept is tested with the commands themselves.
 */
export function newVisitor(): Visitor {
  vi.spyOn(scheduler, "wait").mockResolvedValue();
  const ctx = visitorContext();
  return { ctx, browser: openBrowser(ctx), number: visitors };
}
