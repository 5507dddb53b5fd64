import { NEXT_PAGE_HEADER, SCRIPTED_POST_HEADER } from "~/lib/scripted-post";

/**
 * Returns the response to a post, with a redirect in the form that the script of a form page can read. A redirect that
 * repeats the post (307) stays one: the script then leaves the form to the browser.
 */
export function readableByScript(request: Request, response: Response): Response {
  const location = response.headers.get("Location");
  const isRedirect = response.status === 302 || response.status === 303;
  if (!isRedirect || !location || !request.headers.has(SCRIPTED_POST_HEADER)) return response;
  const headers = new Headers(response.headers);
  headers.delete("Location");
  headers.set(NEXT_PAGE_HEADER, location);
  return new Response(null, { status: 204, headers });
}
