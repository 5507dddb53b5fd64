/**
 * Returns the key under which the form of a message is run once. It names the ticket: what was sent to one is not taken
 * for sent to another, whatever token a page restored by the browser still has. `ref` is its number or its id, as the
 * address of the page has it, because the key is needed before the ticket is read: by both addresses one page has two
 * keys.
 */
export const messageKey = (nonce: string, ref: string): string => `${nonce}:${ref}`;
