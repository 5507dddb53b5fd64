import { matchRoutes, RemixBrowser } from "@remix-run/react";
import { startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";

declare global {
  interface Window {
    /** Set by the framework when it renders for the first time. */
    __remixRouter: { routes: NonNullable<Parameters<typeof matchRoutes>[0]> };
  }
}

/** Lists the scripts of the routes that an address runs in the browser, and all that these import. */
function scriptsFor(pathname: string): string[] {
  return (matchRoutes(window.__remixRouter.routes, pathname) ?? []).flatMap(({ route }) => {
    const found = window.__remixManifest.routes[route.id ?? ""];
    return found?.hasClientAction || found?.hasClientLoader ? [found.module, ...(found.imports ?? [])] : [];
  });
}

const targets = new Set<string>();

/**
 * Loads the scripts of the routes to which the forms of the page are sent. Without a network they could not be loaded
 * when one is sent, and the framework would load the page again instead.
 */
function loadFormTargets() {
  for (const form of document.forms) {
    const { pathname } = new URL(form.getAttribute("action") ?? "", location.href);
    if (targets.has(pathname)) continue;
    targets.add(pathname);
    for (const script of scriptsFor(pathname)) void import(script);
  }
}

const fetched = new Set(
  Array.from(document.querySelectorAll("link[rel=modulepreload]"), (link) => link.getAttribute("href") ?? ""),
);

/**
 * Fetches the scripts of the page to which a link leads while it is pointed at, all at once: the framework asks for
 * one, and then for what that imports. A script is not imported here, as one that fails is not asked for again.
 */
function fetchLinkTarget({ target }: Event) {
  const link = target instanceof Element && target.closest("a");
  if (!link || link.origin !== location.origin) return;
  for (const script of scriptsFor(link.pathname)) {
    if (fetched.has(script)) continue;
    fetched.add(script);
    fetch(script).catch(() => fetched.delete(script));
  }
}

function Browser() {
  useEffect(() => {
    loadFormTargets();
    new MutationObserver(loadFormTargets).observe(document, { childList: true, subtree: true });
    for (const sign of ["pointerover", "focusin"]) document.addEventListener(sign, fetchLinkTarget);
  }, []);
  return <RemixBrowser />;
}

startTransition(() => {
  hydrateRoot(document, <Browser />);
});
