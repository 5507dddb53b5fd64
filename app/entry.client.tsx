import { matchRoutes, RemixBrowser } from "@remix-run/react";
import { startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";

declare global {
  interface Window {
    /** Set by the framework when it renders for the first time. */
    __remixRouter: { routes: NonNullable<Parameters<typeof matchRoutes>[0]> };
  }
}

const loaded = new Set<string>();

/**
 * Loads the scripts of the routes to which the forms of the page are sent. Without a network they could not be loaded
 * when one is sent, and the framework would load the page again instead.
 */
function loadFormTargets() {
  for (const form of document.forms) {
    const { pathname } = new URL(form.getAttribute("action") ?? "", location.href);
    if (loaded.has(pathname)) continue;
    loaded.add(pathname);
    for (const { route } of matchRoutes(window.__remixRouter.routes, pathname) ?? []) {
      const target = window.__remixManifest.routes[route.id ?? ""];
      if (target?.hasClientAction) void import(target.module);
    }
  }
}

function Browser() {
  useEffect(() => {
    loadFormTargets();
    new MutationObserver(loadFormTargets).observe(document, { childList: true, subtree: true });
  }, []);
  return <RemixBrowser />;
}

startTransition(() => {
  hydrateRoot(document, <Browser />);
});
