import { useActionData, useFetcher, useLocation } from "@remix-run/react";
import { useRef } from "react";
import type { FormAnswer } from "~/lib/form";

/** Returns the key of a form's fetcher: the same before and after the page reads its data again. */
export const formKey = (action: string, name: string) => `${action} ${name}`;

const MARKS: readonly (keyof FormAnswer)[] = ["notSaved", "rejection", "saved", "unchanged", "done", "leaving"];

/** Tells whether the result of a form is for the form itself, and not for the page. */
export const isFormAnswer = (data: unknown): data is FormAnswer =>
  typeof data === "object" && data !== null && MARKS.some((mark) => mark in data);

/** Tells whether a form has been sent and needs no more attention: it can be emptied. */
export const isDone = (data: unknown): boolean => isFormAnswer(data) && ("done" in data || "saved" in data);

/**
 * Returns what a form's action has returned for the page, whichever way it was sent: the action data of the document,
 * or what the form's fetcher got. Undefined once the form is accepted. `key` is that of `formKey`.
 */
export function useFormResult<Body>(key: string): Body | undefined {
  const { data } = useFetcher<Body | FormAnswer>({ key });
  const posted = usePostedResult<Body>();
  if (data !== undefined) return isFormAnswer(data) ? undefined : (data as Body);
  return posted;
}

/** Returns the action data of the document, until the next navigation: a page that refreshes itself would drop it. */
export function usePostedResult<Body>(): Body | undefined {
  const { key } = useLocation();
  const data = useActionData() as Body | undefined;
  const held = useRef({ key, data });
  if (held.current.key !== key || data !== undefined) held.current = { key, data };
  return held.current.data;
}
