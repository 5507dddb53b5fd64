import type { ButtonVariant } from "~/ui/button-look";
import { LAST_ADMIN, ROLE_UPDATED } from "../copy";
import type { AccessError } from "./access-change.server";
import type { PersonAction } from "./model";

type ActionTexts = {
  /** Holds the label of the link on the page that leads to the form. */
  link: string;
  title: (name: string) => string;
  /** Says what follows. */
  text: string;
  button: string;
  pending: string;
  variant: ButtonVariant;
  done: { title: string; message: string };
};

/** Holds the texts of each form about an account. */
export const ACTION_TEXTS: Record<PersonAction, ActionTexts> = {
  role: {
    link: "Change role",
    title: (name) => `Role of ${name}`,
    text: "With another role the person is signed out everywhere, and gets a mail about it.",
    button: "Save role",
    pending: "Saving…",
    variant: "primary",
    done: ROLE_UPDATED,
  },
  deactivate: {
    link: "Deactivate…",
    title: (name) => `Deactivate ${name}`,
    text: "The person is signed out everywhere and cannot sign in until the account is reactivated. Nothing is deleted.",
    button: "Deactivate",
    pending: "Deactivating…",
    variant: "danger",
    done: { title: "Success", message: "The account was deactivated." },
  },
  reactivate: {
    link: "Reactivate",
    title: (name) => `Reactivate ${name}`,
    text: "The person can sign in again, with the password, role and memberships of before.",
    button: "Reactivate",
    pending: "Reactivating…",
    variant: "primary",
    done: { title: "Success", message: "The account was reactivated." },
  },
  end_sessions: {
    link: "End sessions",
    title: (name) => `End the sessions of ${name}`,
    text: "The person is signed out in every browser at once, and can sign in again.",
    button: "End sessions",
    pending: "Ending…",
    variant: "danger",
    done: { title: "Success", message: "All sessions were ended." },
  },
  end_session: {
    link: "End session",
    title: (name) => `End one session of ${name}`,
    text: "The person is signed out in this browser at once, and stays signed in elsewhere.",
    button: "End session",
    pending: "Ending…",
    variant: "danger",
    done: { title: "Success", message: "The session was ended." },
  },
  reset_mfa: {
    link: "Reset MFA…",
    title: (name) => `Reset MFA of ${name}`,
    text: "Authenticator app and backup codes stop working, and the person is signed out everywhere. The next sign-in needs the password and a link that is mailed to the person now. All administrators get a mail about it.",
    button: "Reset MFA",
    pending: "Resetting…",
    variant: "danger",
    done: { title: "Success", message: "Two-step sign-in was reset. The link to set it up again is queued." },
  },
  setup_link: {
    link: "Send a new set-up link",
    title: (name) => `Set-up link for ${name}`,
    text: "The person gets a mail with a new link to set up two-step sign-in. A link that was sent before stops working.",
    button: "Send link",
    pending: "Sending…",
    variant: "primary",
    done: { title: "Success", message: "The link is queued." },
  },
  password_change: {
    link: "Require a new password",
    title: (name) => `New password for ${name}`,
    text: "The person is signed out everywhere. After the next sign-in they choose a new password before anything else.",
    button: "Require a new password",
    pending: "Saving…",
    variant: "danger",
    done: { title: "Success", message: "The person has to choose a new password." },
  },
  unlock: {
    link: "Unlock",
    title: (name) => `Unlock ${name}`,
    text: "Failed sign-ins are forgotten, so that the person can try again at once.",
    button: "Unlock",
    pending: "Unlocking…",
    variant: "primary",
    done: { title: "Success", message: "The account was unlocked." },
  },
};

export const CHANGED_MEANWHILE = "Nothing was changed: the account has changed meanwhile. Look at it again.";

const REJECTIONS: Record<AccessError, string> = {
  user_not_found: "This account does not exist any more.",
  own_account: "You can't do this to your own account.",
  last_admin: LAST_ADMIN,
  sole_owner: "The person is the only owner of an organization. Transfer its ownership first.",
  session_ended: "This session has ended already.",
  denied: CHANGED_MEANWHILE,
};

/** Says why somebody's access was not changed. `owned`: the organizations that would have no owner. */
export const accessError = (code: AccessError, owned: readonly string[]): string =>
  code === "sole_owner" && owned.length > 0
    ? `The person is the only owner of ${owned.join(", ")}. Transfer the ownership first.`
    : REJECTIONS[code];
