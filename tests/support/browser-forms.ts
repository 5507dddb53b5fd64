import { expect, type Page } from "./browser-test";
import { formsOf } from "./page-forms";

/**
 * Sends a form of a page with these fields as the browser would, and draws nothing: for what a test needs and is not
 * about. The browser has the cookies of the answer.
 */
export async function sendForm(page: Page, path: string, fields: Record<string, string>) {
  const opened = await page.request.get(path);
  const { origin, pathname, search } = new URL(opened.url());
  const form = formsOf(await opened.text(), pathname + search).find(({ fields: own }) =>
    own.some(([name, value]) => name === "intent" && value === fields.intent),
  );
  if (!form) throw new Error(`${opened.url()} (${opened.status()}) has no form to ${fields.intent}`);
  const answer = await page.request.post(form.action, {
    headers: { Origin: origin },
    form: { ...Object.fromEntries(form.fields), ...fields },
    maxRedirects: 0,
  });
  expect(answer.status(), `${fields.intent} at ${path}`).toBe(303);
}
