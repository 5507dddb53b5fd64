import type { StoredFile } from "~/features/attachments/store-attachment.server";
import { fingerprintOf } from "~/platform/crypto.server";

/**
 * Returns what the keys of one form of a message begin with. It names the ticket: what was sent to one is not taken for
 * sent to another, whatever token a page restored by the browser still has. `ref` is its number or its id, as the
 * address of the page has it, because the key is needed before the ticket is read: by both addresses one page has two
 * keys.
 */
export const messageKeys = (nonce: string, ref: string): string => `${nonce}:${ref}:`;

/**
 * Returns the key under which what was written is accepted once. Where the answer to a form was lost, its token comes
 * again: with the same content it is the same post, with another one its author has gone on writing, and nothing of it
 * may be lost.
 */
export const contentKey = (
  prefix: string,
  { files = [], ...texts }: { files?: readonly Pick<StoredFile, "sha256">[]; [name: string]: unknown },
): string => prefix + fingerprintOf(JSON.stringify([texts, files.map(({ sha256 }) => sha256)]));
