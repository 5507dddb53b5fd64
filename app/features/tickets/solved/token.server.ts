import { withParams } from "~/lib/addresses";
import type { Instant } from "~/lib/time";
import { equalInConstantTime, keyedHash } from "~/platform/crypto.server";
import type { Config } from "~/platform/env.server";

/** Names the page of the question whether a ticket is solved. */
export const SOLVED_PATH = "/solved";

/** Describes what was asked: whom, about which ticket, when. */
export type SolvedQuestion = { ticketId: string; userId: string; askedAt: Instant };

type Signer = Pick<Config, "FORM_KEY_1">;

const mac = ({ FORM_KEY_1 }: Signer, payload: string): string => keyedHash(FORM_KEY_1, "solved", payload);

/** Returns the token of a question: whoever has it may answer for that person, and do nothing else. */
export function solvedToken(config: Signer, { ticketId, userId, askedAt }: SolvedQuestion): string {
  const payload = [ticketId, userId, askedAt.toString(36)].join(".");
  return `${payload}.${mac(config, payload)}`;
}

/** Reads a token. Null: it is not one of ours. */
export function readSolvedToken(config: Signer, token: string): SolvedQuestion | null {
  const [ticketId = "", userId = "", askedAt = "", signature = "", ...rest] = token.split(".");
  const payload = [ticketId, userId, askedAt].join(".");
  if (rest.length > 0 || !equalInConstantTime(signature, mac(config, payload))) return null;
  return { ticketId, userId, askedAt: Number.parseInt(askedAt, 36) };
}

/** Returns the links of a question. */
export function solvedLinks(config: Signer, question: SolvedQuestion): { yes: string; no: string } {
  const token = solvedToken(config, question);
  return {
    yes: withParams(SOLVED_PATH, { answer: "yes", token }),
    no: withParams(SOLVED_PATH, { answer: "no", token }),
  };
}
