/*
 * What the routes of the admin area and the portal export beside what is their own, so that a form that the server did
 * not take, or a page that cannot be read again, never costs what was typed.
 */

export { pageLoader as clientLoader } from "~/live/page-refresh";
export { clientAction, retryHeaders as headers, revalidateWhenSaved as shouldRevalidate } from "~/ui/form";
export { AreaError as ErrorBoundary } from "~/ui/page";
