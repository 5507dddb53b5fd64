import axe from "axe-core";
import { expect, type Page, test } from "./browser-test";

/** Lists each size and each scheme once: what is where does not depend on the colours. */
const VIEWS = [
  { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
] as const;

/** Expects no violation at either size, in either scheme, and nothing that makes the page scroll sideways. */
export async function expectAccessible(page: Page, name: string) {
  for (const { viewport, colorScheme } of VIEWS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expectNoViolation(page, `${name} at ${viewport.width} px, ${colorScheme}`);
    await expectNoSidewaysScroll(page, name);
  }
}

/**
 * Asks axe about the page as it is now. Its code is read into each document once; frames would need it too. It never
 * ends where scripts are off, and what it would see is the same. `rules`: asks for these alone.
 */
export async function expectNoViolation(page: Page, name: string, rules?: string[]) {
  if (test.info().project.use.javaScriptEnabled === false) return;
  expect(page.frames(), `${name}: frames`).toHaveLength(1);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (runOnly) => {
    const { axe: inPage } = window as unknown as { axe: typeof axe };
    const found = await inPage.run({ resultTypes: ["violations"], ...(runOnly ? { runOnly } : {}) });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  }, rules);
  expect(violations, name).toEqual([]);
}

export async function expectNoSidewaysScroll(page: Page, name: string) {
  // Fonts may arrive last.
  await expect(async () => {
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(sideways, `${name} is wider than ${page.viewportSize()?.width} px`).toBeLessThanOrEqual(0);
  }).toPass();
}

/** Collects what a page logs as an error: script errors and violations of our own content policy among them. */
export function loggedErrorsOf(page: Page): string[] {
  const loggedErrors: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of 40[0-9]/.test(message.text())) loggedErrors.push(message.text());
  });
  page.on("pageerror", (error) => loggedErrors.push(error.message));
  return loggedErrors;
}
