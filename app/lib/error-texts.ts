export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 421 | 429 | 500 | 503;

export type ErrorText = { title: string; text: string; links?: readonly { label: string; to: string }[] };

/** Missing objects and objects of other people share the text of 404. */
export const ERROR_TEXTS: Record<ErrorStatus, ErrorText> = {
  400: {
    title: "That could not be read",
    text: "Your browser sent something we did not understand. Go back and try again.",
  },
  401: { title: "Please sign in", text: "Your session has ended. Sign in and try again." },
  403: {
    title: "Access Denied",
    text: "You don't have permission to access this area. Admin privileges required.",
  },
  404: { title: "Page Not Found", text: "There's nothing at this address. It may have moved." },
  405: { title: "That does not work here", text: "This address does not support this kind of request." },
  409: {
    title: "This changed while you were working",
    text: "Go back, reload the page, and look at the current state.",
  },
  413: {
    title: "That is too large",
    text: "What you sent is larger than this page accepts. Go back and choose smaller files.",
  },
  415: { title: "That kind of content is not accepted", text: "Send the form from its own page." },
  421: { title: "Wrong address", text: "There is no website at the address you used." },
  429: { title: "Too many attempts", text: "Wait a moment, then try again." },
  500: {
    title: "Something went wrong on our side",
    text: "Your work may not have been saved. Try again, or call us and give the reference below.",
  },
  503: {
    title: "We can't do that right now",
    text: "Part of our service is not responding. Nothing was saved. Try again in a minute.",
  },
};

function errorTextOf(status: number, data: unknown): ErrorText {
  return isErrorText(data) ? data : ERROR_TEXTS[errorStatus(status)];
}

export const routeErrorText = (error: unknown): ErrorText =>
  typeof error === "object" && error !== null && "status" in error && "data" in error
    ? errorTextOf(Number(error.status), error.data)
    : ERROR_TEXTS[500];

export const isErrorText = (data: unknown): data is ErrorText =>
  typeof data === "object" && data !== null && "title" in data && "text" in data;

export const errorStatus = (status: number): ErrorStatus => (status in ERROR_TEXTS ? (status as ErrorStatus) : 500);

export const FORM_TOO_OLD = "This page had been open for too long, so nothing was changed. Please send it again.";

export const PAGE_TOO_OLD: ErrorText = {
  title: "Nothing was changed",
  text: "The page had been open for too long. Load it again, and then send the form once more.",
};

export const TAKEN = "A colleague was faster, so nothing was changed.";

export const CHANGED_SINCE =
  "This was saved before and has been changed since, so nothing was changed now. Please choose again.";
