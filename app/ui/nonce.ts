import { createContext } from "react";

/** The nonce of the response's Content-Security-Policy; empty in the browser, where nothing needs it any more. */
export const NonceContext = createContext("");
