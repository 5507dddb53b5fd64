import type { InviteStep } from "./invite-page";

type Ending = { title: string; text: (names: { inviter: string; email: string; place: string }) => string };

export const ENDINGS: Record<Exclude<InviteStep, "set_up" | "accept" | "sign_in" | "decline">, Ending> = {
  no_link: {
    title: "Open the link in your mail",
    text: () => "This page opens with the link of an invitation, for an hour. Open the link again.",
  },
  unknown: {
    title: "There is no such invitation",
    text: () => "It was withdrawn or turned down, or its organization is gone. Ask for a new one.",
  },
  used: { title: "This invitation was used", text: () => "It works once. If you accepted it, sign in." },
  replaced: {
    title: "There is a newer link",
    text: () => "This invitation was sent again. Open the link in the latest mail.",
  },
  expired: {
    title: "This invitation has expired",
    text: ({ inviter }) => `It worked for 7 days. Ask ${inviter} to send it again.`,
  },
  void: {
    title: "This invitation is no longer valid",
    text: ({ inviter, place }) => `${inviter} can no longer invite people. Ask ${place} for a new invitation.`,
  },
  deactivated: {
    title: "Your account is deactivated",
    text: ({ email }) => `The account of ${email} can't accept invitations. Contact us to have it opened again.`,
  },
  account_first: {
    title: "Open your account first",
    text: ({ email }) =>
      `An account for ${email} was prepared, and its invitation is in another mail. Accept that one, then open this link again.`,
  },
  reserved: {
    title: "This address can't be used yet",
    text: ({ email }) =>
      `${email} belonged to another account until lately, and its owner may still take it back. Try again in three days.`,
  },
  unproved: {
    title: "Confirm your address first",
    text: ({ email }) =>
      `You got this link from a person, so it doesn't show that ${email} is yours. Create an account with that address, and you get the invitation by mail.`,
  },
  other_account: {
    title: "This invitation is for someone else",
    text: ({ email }) => `It was sent to ${email}. Sign out to accept it with that address.`,
  },
  declined: { title: "Invitation removed", text: () => "There is nothing else to do. You can close this page." },
};

export const ACCEPT_FAILED = "Invitation not accepted";
export const INVITATION_CHANGED = "Something has changed. Read this page again.";
