import { expect, type Page } from "@playwright/test";
import axe from "axe-core";

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const SCHEMES = ["light", "dark"] as const;

/** Expects no violation in either scheme at either size, and nothing that makes the page scroll sideways. */
export async function expectAccessible(page: Page, name: string) {
  for (const viewport of SIZES) {
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await expectNoViolation(page, `${name} at ${viewport.width} px, ${colorScheme}`);
      await expectNoSidewaysScroll(page, name);
    }
  }
}

/** Asks axe about the page as it is now. Its code is read into each document once; frames would need it too. */
export async function expectNoViolation(page: Page, name: string) {
  expect(page.frames(), `${name}: frames`).toHaveLength(1);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: inPage } = window as unknown as { axe: typeof axe };
    const found = await inPage.run({ resultTypes: ["violations"] });
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
  });
  expect(violations, name).toEqual([]);
}

export async function expectNoSidewaysScroll(page: Page, name: string) {
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(sideways, `${name} is wider than ${page.viewportSize()?.width} px`).toBeLessThanOrEqual(0);
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
