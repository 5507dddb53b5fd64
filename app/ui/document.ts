import { createContext } from "react";

/** Holds the nonce of the response's Content-Security-Policy; empty in the browser, where nothing needs it. */
export const NonceContext = createContext("");

/** The page stands in the place of another address: the framework's scripts would load that one again and again. */
export const OtherAddressContext = createContext(false);
