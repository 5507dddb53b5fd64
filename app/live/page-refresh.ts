import type { ClientLoaderFunctionArgs } from "@remix-run/react";

export const REFRESH_FAILED = "refresh-failed";

export const pageRefresh = { hasFailed: false };

const UNREACHED = { title: "This page could not be loaded", text: "Check your connection and try again." };

type Keeping = {
  ofLayout?: true;
};

/**
 * What cannot be read again stays as it is: an error would replace the page and what was typed in it. A page that is
 * opened has nothing to keep; only the way back may show it as it was.
 */
export function keepingLoader({ ofLayout }: Keeping = {}) {
  let shown: { address: string; data: unknown } | undefined;
  const clientLoader = async ({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<unknown> => {
    const { pathname, search } = new URL(request.url);
    const address = pathname + search;
    try {
      const data = await serverLoader();
      // Something on the way has answered in place of our server, for example the sign-in page of a wireless network.
      if (typeof data !== "object") throw new TypeError(`${pathname} was answered with ${typeof data}`);
      shown = { address, data };
      return data;
    } catch (thrown) {
      if ((thrown instanceof Response && thrown.status < 500) || request.signal.aborted) throw thrown;
      // The address of the browser changes when the next page is there.
      const isOnScreen = shown?.address === address && address === location.pathname + location.search;
      if (!shown || !(ofLayout || isOnScreen))
        throw thrown instanceof TypeError ? Response.json(UNREACHED, { status: 503 }) : thrown;
      pageRefresh.hasFailed = true;
      window.dispatchEvent(new Event(REFRESH_FAILED));
      return shown.data;
    }
  };
  // While the page hydrates, the framework hands over what the server has rendered; nothing is fetched.
  return Object.assign(clientLoader, { hydrate: true });
}
