import type { SignedIn } from "~/platform/context.server";
import type { OpenedInvitation } from "./answering.server";

export type InviteStep =
  | "set_up"
  | "accept"
  | "sign_in"
  | "decline"
  | "declined"
  | "other_account"
  | "no_link"
  | "unknown"
  | Exclude<OpenedInvitation["state"], "open">
  | "deactivated"
  | "account_first"
  | "reserved"
  | "unproved";

export const STEP_STATUS: Partial<Record<InviteStep, 403 | 404 | 409>> = {
  other_account: 403,
  deactivated: 403,
  no_link: 404,
  unknown: 404,
  used: 409,
  replaced: 409,
  expired: 409,
  void: 409,
  account_first: 409,
  reserved: 409,
  unproved: 409,
};

/** Returns the step of an invitation. That its address has an account is told only here, to whoever has the link. */
export function stepOf(
  { state, target, address, provesAddress }: OpenedInvitation,
  reader: Pick<SignedIn, "email"> | null,
  wantsToDecline: boolean,
): InviteStep {
  if (state !== "open") return state;
  if (wantsToDecline) return "decline";
  if (reader) return target.kind === "membership" && reader.email === target.email ? "accept" : "other_account";
  if (target.kind === "membership") {
    if (address.status === "active") return "sign_in";
    if (address.status === "deactivated") return "deactivated";
    if (address.status === "pending") return "account_first";
    if (address.isReserved) return "reserved";
  }
  return provesAddress ? "set_up" : "unproved";
}

/** For the forms of a page: another invitation may have been opened since, in another tab. */
export const invitationMark = (target: OpenedInvitation["target"]): string =>
  target.kind === "account" ? target.userId : target.membershipId;
