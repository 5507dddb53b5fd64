import { ERROR_TEXTS, type ErrorText, PAGE_TOO_OLD } from "~/lib/error-texts";
import type { Instant } from "~/lib/time";
import type { FlashMessage } from "./flash.server";

type Done = {
  outcome: "done";
  /** Holds the path of the next page. */
  to: string;
  /** Holds the one-time message on that page. */
  flash?: FlashMessage;
  /** Tells whether what was posted was so already. The message says it. */
  unchanged?: true;
  /** Tells whether the page is outside the form's area, so the browser must load it as a new document. */
  newDocument?: boolean;
  /** Holds the value of the header `Clear-Site-Data`. */
  clearSiteData?: string;
};

/** Makes the browser post the same fields again, to another address. */
type Forwarded = { outcome: "forwarded"; to: string };

/** Renders the form's page, with `body` as its action data. */
type WithPage<Body> =
  /** Shows the next step on the page; this is no error. */
  | { outcome: "page"; body: Body; status?: 403 | 404 }
  | { outcome: "invalid"; body: Body }
  /** Tells that somebody else has changed the same object since the form was rendered. */
  | { outcome: "conflict"; body: Body }
  | { outcome: "rate_limited"; body: Body; retryAt: Instant }
  | { outcome: "unavailable"; body: Body; retryAt: Instant };

type WithoutPage =
  | { outcome: "denied" | "not_found" }
  /** Shows an error page with these words. */
  | { outcome: "bad_request"; text: ErrorText };

/** Describes a file that the browser saves. */
export type Download = {
  outcome: "download";
  fileName: string;
  /**
   * Names the type; without one the file is somebody's whom we do not know, and nobody has scanned it: browsers never
   * show or run it.
   */
  contentType?: string;
  /** Tells whether it is an image that a page shows. */
  isInline?: boolean;
  /** Holds the length in bytes, where it is known before the file is sent. */
  size?: number;
  content: string | ReadableStream<Uint8Array>;
};

/**
 * Rejects a file that somebody asks for too often: the page that offers it is shown with a message, as 429. `to`:
 * address of that page.
 */
type FileLimited = { outcome: "file_limited"; to: string; flash: FlashMessage; retryAt: Instant };

/**
 * Holds the result of a submitted form, or of asking for a file. Handlers return it, and `respond` turns it into an
 * HTTP response. `Body` is the action data of the page.
 */
export type ActionResult<Body> = Done | Forwarded | WithPage<Body> | WithoutPage | Download | FileLimited;

/** Says that a form has done its work: the browser is redirected, with a message. */
export const done = (result: Omit<Done, "outcome">): Done => ({ outcome: "done", ...result });

/** Sends the form on to another page, which gets the same fields, as 307. */
export const forwarded = (to: string): Forwarded => ({ outcome: "forwarded", to });

/** Shows a page. `status`: the page itself says why what was asked for is not there, or not for this person. */
export const page = <Body>(body: Body, status?: 403 | 404): ActionResult<Body> => ({ outcome: "page", body, status });

/** Shows the page with the errors of its form, as 400. */
export const invalid = <Body>(body: Body): ActionResult<Body> => ({ outcome: "invalid", body });

/** Shows the page because somebody else has changed the same meanwhile, as 409. */
export const conflict = <Body>(body: Body): ActionResult<Body> => ({ outcome: "conflict", body });

/** Shows the page because of too many attempts, as 429. */
export const rateLimited = <Body>(retryAt: Instant, body: Body): ActionResult<Body> => ({
  outcome: "rate_limited",
  body,
  retryAt,
});

/** Shows the page because what the form needs does not respond now, as 503. */
export const unavailable = <Body>(retryAt: Instant, body: Body): ActionResult<Body> => ({
  outcome: "unavailable",
  body,
  retryAt,
});

/** Shows the error page of what this person may not do, as 403. */
export const denied = (): WithoutPage => ({ outcome: "denied" });

/** Shows the error page of what is not there, as 404. */
export const notFound = (): WithoutPage => ({ outcome: "not_found" });

/** Shows the error page of a form that none of our pages sends, or of one that is too old to be taken, as 400. */
export const badRequest = (problem?: { code: "token" | "fields" }): WithoutPage => ({
  outcome: "bad_request",
  text: problem?.code === "token" ? PAGE_TOO_OLD : ERROR_TEXTS[400],
});

/** Sends a file. */
export const download = (file: Omit<Download, "outcome">): Download => ({ outcome: "download", ...file });

/** Says that files were asked for too often: the page is shown with the message, as 429. */
export const fileLimited = (limited: Omit<FileLimited, "outcome">): FileLimited => ({
  outcome: "file_limited",
  ...limited,
});

/** Tells whether the page is shown because its form was rejected, and not because of its next step. */
export const isRejected = ({ outcome, ...result }: ActionResult<unknown>): boolean =>
  outcome !== "page" && "body" in result;

/** Replaces the action data of a result. Results without action data stay unchanged. */
export const mapBody = <From, To>(result: ActionResult<From>, map: (body: From) => To): ActionResult<To> =>
  "body" in result ? { ...result, body: map(result.body) } : result;
