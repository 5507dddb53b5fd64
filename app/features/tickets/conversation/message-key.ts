/**
 * Returns the key under which the form of a message is run once. It names the ticket: what was sent to one is not taken
 * for sent to another, whatever token a page restored by the browser still has.
 */
export const messageKey = (nonce: string, ref: string): string => `${nonce}:${ref}`;
