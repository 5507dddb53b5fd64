import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { ADMIN_HOME_PATH } from "~/lib/addresses";

export const REFRESH_FAILED = "refresh-failed";

export const pageRefresh = { hasFailed: false };

const UNREACHED = { title: "This page could not be loaded", text: "Check your connection and try again." };

/** How many pages the way back can show as they were. */
const PAGES_KEPT = 20;

/**
 * What cannot be read again stays as it is: an error would replace the page and what was typed in it. A page that is
 * opened has nothing to keep; only the way back may show it as it was.
 */
function keepingLoader(keyOf: (address: string) => string) {
  const shown = new Map<string, unknown>();
  const clientLoader = async ({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<unknown> => {
    const { pathname, search } = new URL(request.url);
    const address = pathname + search;
    const key = keyOf(address);
    try {
      const data = await serverLoader();
      // Something on the way has answered in place of our server, for example the sign-in page of a wireless network.
      if (typeof data !== "object") throw new TypeError(`${pathname} was answered with ${typeof data}`);
      shown.delete(key);
      shown.set(key, data);
      for (const oldest of shown.keys()) if (shown.size > PAGES_KEPT) shown.delete(oldest);
      return data;
    } catch (thrown) {
      if ((thrown instanceof Response && thrown.status < 500) || request.signal.aborted) throw thrown;
      // The address of the browser changes when the next page is there.
      const isOnScreen = key !== address || address === location.pathname + location.search;
      if (!shown.has(key) || !isOnScreen)
        throw thrown instanceof TypeError ? Response.json(UNREACHED, { status: 503 }) : thrown;
      pageRefresh.hasFailed = true;
      window.dispatchEvent(new Event(REFRESH_FAILED));
      return shown.get(key);
    }
  };
  // While the page hydrates, the framework hands over what the server has rendered; nothing is fetched.
  return Object.assign(clientLoader, { hydrate: true });
}

export const pageLoader = keepingLoader((address) => address);

/** A layout stays from one address of its area to the next. */
export const layoutLoader = keepingLoader((address) => (address.startsWith(ADMIN_HOME_PATH) ? "admin" : "portal"));
