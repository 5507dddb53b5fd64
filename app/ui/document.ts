import { createContext } from "react";

/** Holds the nonce of the response's Content-Security-Policy; empty in the browser, where nothing needs it. */
export const NonceContext = createContext("");

/**
 * Tells whether the page stands in the place of another, whose address the browser has: the framework's scripts would
 * look for that one's page, and load it again and again. False in the browser.
 */
export const OtherAddressContext = createContext(false);
