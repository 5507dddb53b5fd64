/** Holds the one-time message on the page after an action. */
export type FlashMessage = { kind: "success" | "error" | "info" | "warning"; title: string; message: string };

/**
 * Holds where a form leads that a script has sent, and the message of the page there. The message travels in the answer
 * to the form: a cookie could be taken by whichever page asks for something first, another tab included.
 */
export type FlashRedirect = { to: string; flash: FlashMessage };

/** Tells whether the answer to a form is such a redirect. */
export const isFlashRedirect = (answer: object): answer is FlashRedirect => "flash" in answer && "to" in answer;
