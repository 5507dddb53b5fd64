import { invariant } from "~/lib/errors";
import { decrypt, encrypt, keyIdOf } from "./crypto.server";
import { type Config, currentKeyId } from "./env.server";

/** Every encrypted value names its key: the current one encrypts, both decrypt, `reencrypt-values` moves the rest. */

type DataKeys = Pick<Config, "DATA_KEK_1" | "DATA_KEK_2" | "DATA_KEK_CURRENT">;

const secretOf = (config: DataKeys, id: string): string | undefined =>
  ({ "1": config.DATA_KEK_1, "2": config.DATA_KEK_2 })[id];

export const hasTwoDataKeys = ({ DATA_KEK_1, DATA_KEK_2 }: DataKeys): boolean => Boolean(DATA_KEK_1 && DATA_KEK_2);

export function encryptValue(config: DataKeys, context: string, text: string): string {
  const id = currentKeyId(config);
  const secret = secretOf(config, id);
  invariant(secret, `The data key ${id} is not configured`);
  return encrypt(secret, context, text, id);
}

/** Throws when that key is not configured, or not the original one. */
export function decryptValue(config: DataKeys, context: string, encrypted: string): string {
  const id = keyIdOf(encrypted);
  const secret = id === null ? undefined : secretOf(config, id);
  invariant(secret, `The data key ${id ?? "of another format"} is not configured`);
  return decrypt(secret, context, encrypted);
}
