import type { HeadersArgs } from "@remix-run/cloudflare";
import type { ClientActionFunctionArgs, ShouldRevalidateFunction } from "@remix-run/react";
import type { ErrorText } from "~/lib/error-texts";
import { type FlashMessage, type FormAnswer, isFlashRedirect } from "~/lib/form";
import { locationOf } from "~/lib/safe-path";

/*
 * What every route of a hydrated area exports, so that a form that the server did not take never costs the page.
 */

/** Whatever is not an answer of ours becomes a result that the form shows: an error would replace what was typed. */
export async function clientAction({ serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  try {
    const result = await serverAction();
    // Something on the way has answered in place of our server, for example the sign-in page of a wireless network.
    if (typeof result !== "object" || result === null) return NOT_SAVED;
    if (!isFlashRedirect(result)) return result;
    landing.flash = result.flash;
    throw new Response(null, { status: 303, headers: { Location: locationOf(result.to) } });
  } catch (thrown) {
    if (!(thrown instanceof Response) || thrown.status >= 500) return NOT_SAVED;
    // It could not be taken, too large or for what the person works on by now. What was typed stays.
    if (thrown.status >= 400 && !SHOWN_AS_PAGE.includes(thrown.status))
      return { rejection: ((await thrown.json()) as ErrorText).text, keepsPage: true };
    const to = thrown.headers.get("Location");
    return (to && answerOfRedirect(new URL(to, location.href), thrown.headers)) || Promise.reject(thrown);
  }
}

export const landing: { hash: string; flash: FlashMessage | null } = { hash: "", flash: null };

const SHOWN_AS_PAGE: readonly number[] = [401, 403, 404];

const NOT_SAVED: FormAnswer = { notSaved: true };

function answerOfRedirect(to: URL, headers: Headers): FormAnswer | undefined {
  if (headers.has("X-Remix-Reload-Document")) {
    location.assign(to);
    // If it is a file, the page stays.
    return { leaving: true };
  }
  const isHere = to.pathname + to.search === location.pathname + location.search;
  if (!isHere) return undefined;
  landing.hash = to.hash;
  return { done: true };
}

/** Loaders would most likely fail too, or show another page. The same while another document is on its way. */
export const revalidateWhenSaved: ShouldRevalidateFunction = ({ actionResult, defaultShouldRevalidate }) => {
  const answer = actionResult as Partial<FormAnswer> | undefined;
  return defaultShouldRevalidate && !answer?.notSaved && !answer?.keepsPage && !answer?.leaving;
};

export const keepsRejected: ShouldRevalidateFunction = (change) =>
  revalidateWhenSaved(change) && !(change.actionResult as FormAnswer | undefined)?.rejection;

/** A document says when to try again as its action does, or else its loader. */
export function retryHeaders({ actionHeaders, loaderHeaders }: HeadersArgs): Record<string, string> {
  const value = actionHeaders.get("Retry-After") ?? loaderHeaders.get("Retry-After");
  return value ? { "Retry-After": value } : {};
}
