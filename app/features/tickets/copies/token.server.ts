import { withParams } from "~/lib/addresses";
import { equalInConstantTime, keyedHash } from "~/platform/crypto.server";
import type { Config } from "~/platform/env.server";
import { STOP_COPIES_PATH } from "./model";

type Signer = Pick<Config, "FORM_KEY_1">;

const mac = ({ FORM_KEY_1 }: Signer, copyId: string): string => keyedHash(FORM_KEY_1, "stop-copies", copyId);

/** Returns the link by which whoever gets copies of a ticket ends them. */
export const stopCopiesPath = (config: Signer, copyId: string): string =>
  withParams(STOP_COPIES_PATH, { token: `${copyId}.${mac(config, copyId)}` });

/** Reads the id of the copies that a token ends. Null: it is not one of ours. */
export function readStopCopies(config: Signer, token: string): string | null {
  const [copyId = "", signature = "", ...rest] = token.split(".");
  return rest.length === 0 && equalInConstantTime(signature, mac(config, copyId)) ? copyId : null;
}
