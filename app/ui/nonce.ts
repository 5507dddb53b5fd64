import { createContext } from "react";

/** Holds the nonce of the response's Content-Security-Policy; empty in the browser, where nothing needs it. */
export const NonceContext = createContext("");
