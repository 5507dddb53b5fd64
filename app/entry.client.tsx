import { RemixBrowser } from "@remix-run/react";
import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";

// Sending a form needs the script of the route it is sent to. Without a network it could not be loaded then, and the
// framework would load the page again instead.
window.addEventListener("load", () => {
  for (const { hasClientAction, module } of Object.values(window.__remixManifest.routes)) {
    if (hasClientAction) void import(module);
  }
});

startTransition(() => {
  hydrateRoot(document, <RemixBrowser />);
});
