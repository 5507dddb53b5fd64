import type { PlatformRole } from "~/access/model";
import { CLIENT_SIGN_IN_PATH, PASSWORD_RESET_PATH } from "~/lib/addresses";
import type { AccessChange, AccountMailData } from "../account-mail-data";
import type { MailBrand, Template } from "../model";
import { type Block, composeMail, withoutLinks } from "./compose";

/*
 * Mails that tell a person what an administrator did about their account. They name no reason: that is in the activity,
 * and the person may ask. Names in mails to administrators are as their owners chose them, so nothing in them links.
 */

const paragraph = (text: string): Block => ({ kind: "paragraph", text });
const link = (site: MailBrand, label: string, path: string): Block => ({
  kind: "link",
  label,
  href: `${site.origin}${path}`,
});

const QUESTIONS = "If you have questions about this, contact us.";

const ROLES: Record<PlatformRole, string> = { admin: "Admin", moderator: "Moderator", user: "User" };

/** Holds what a mail says about each change, and the link it offers. */
const ACCESS_CHANGES: Record<AccessChange, { subject: string; text: string; next?: { label: string; path: string } }> =
  {
    deactivated: {
      subject: "Your account was deactivated",
      text: "An administrator deactivated your account. You were signed out everywhere, and signing in is switched off.",
    },
    reactivated: {
      subject: "Your account is active again",
      text: "An administrator reactivated your account. You can sign in as before.",
      next: { label: "Sign in", path: CLIENT_SIGN_IN_PATH },
    },
    sessions_ended: {
      subject: "You were signed out everywhere",
      text: "An administrator ended all your sessions. Sign in again to continue.",
      next: { label: "Sign in", path: CLIENT_SIGN_IN_PATH },
    },
    session_ended: {
      subject: "You were signed out in one browser",
      text: "An administrator ended one of your sessions. Elsewhere you stay signed in.",
      next: { label: "Sign in", path: CLIENT_SIGN_IN_PATH },
    },
    unlocked: {
      subject: "Your account was unlocked",
      text: "An administrator cleared the failed sign-ins of your account. You can sign in with your password again.",
      next: { label: "Choose a new password", path: PASSWORD_RESET_PATH },
    },
    password_change_required: {
      subject: "Please choose a new password",
      text: "An administrator asks you to choose a new password. You were signed out everywhere, and you choose it after you sign in.",
      next: { label: "Sign in", path: CLIENT_SIGN_IN_PATH },
    },
  };

type Kinds = Pick<
  AccountMailData,
  | "role-changed"
  | "access-changed"
  | "factor-reset"
  | "factor-reset-notice"
  | "security-alert"
  | "account-closure"
  | "account-closure-notice"
>;

const CLOSURES: Record<AccountMailData["account-closure"]["state"], { subject: string; text: string }> = {
  requested: {
    subject: "You asked us to close your account",
    text: "We look at it and tell you when it is done. Until then nothing changes, and you can take it back on the page “Your data”. Wasn't it you? Change your password and tell us.",
  },
  declined: {
    subject: "Your account stays open",
    text: "You asked us to close your account. We did not do it:",
  },
  closed: {
    subject: "Your account is closed",
    text: "As you asked, your account is closed and your name and address are erased. What you wrote on tickets stays with your organization, without your name. This is the last mail about your account.",
  },
};

export const accessMails: { [Kind in keyof Kinds]: Template<Kind> } = {
  "role-changed": ({ role }, { site }) =>
    composeMail({
      subject: "Your role was changed",
      site,
      blocks: [
        paragraph(`An administrator changed what you may do at ${site.name}. You were signed out everywhere.`),
        { kind: "facts", facts: [{ term: "Your role now", detail: ROLES[role] }] },
        paragraph(QUESTIONS),
      ],
    }),
  "access-changed": ({ change }, { site }) => {
    const { subject, text, next } = ACCESS_CHANGES[change];
    return composeMail({
      subject,
      site,
      blocks: [paragraph(text), ...(next ? [link(site, next.label, next.path)] : []), paragraph(QUESTIONS)],
    });
  },
  "factor-reset": ({ path }, { site }) =>
    composeMail({
      subject: "Your two-step sign-in was reset",
      site,
      blocks: [
        paragraph(
          "An administrator reset your two-step sign-in. Your authenticator app and your backup codes no longer work, and you were signed out everywhere.",
        ),
        paragraph("To sign in again, open this link, then type your password and set up your authenticator app."),
        link(site, "Set up two-step sign-in", path),
        paragraph("The link works once, for 24 hours. Didn't you ask for this? Tell us, and don't open it."),
      ],
    }),
  "factor-reset-notice": ({ name, email, by, reason }, { site }) =>
    composeMail({
      subject: `Two-step sign-in of ${withoutLinks(name)} was reset`,
      site,
      blocks: [
        paragraph("An administrator reset the two-step sign-in of an account. All administrators are told about it."),
        {
          kind: "facts",
          facts: [
            { term: "Account", detail: `${withoutLinks(name)}, ${email}` },
            { term: "Reset by", detail: withoutLinks(by) },
            { term: "Reason", detail: reason },
          ],
        },
      ],
    }),
  "account-closure": ({ state, reason }, { site }) =>
    composeMail({
      subject: CLOSURES[state].subject,
      site,
      blocks: [paragraph(CLOSURES[state].text), ...(reason ? [{ kind: "quote" as const, text: reason }] : [])],
    }),
  "account-closure-notice": ({ name, email, path }, { site }) =>
    composeMail({
      subject: `${withoutLinks(name)} asks to close their account`,
      site,
      blocks: [
        paragraph("Close the account or say why not. All administrators are told about it."),
        { kind: "facts", facts: [{ term: "Account", detail: `${withoutLinks(name)}, ${email}` }] },
        link(site, "Look at the request", path),
      ],
    }),
  "security-alert": ({ alerts, path }, { site }) =>
    composeMail({
      subject: alerts.length === 1 ? "High security alert" : `${alerts.length} high security alerts`,
      site,
      blocks: [
        paragraph("This looks like an attempt to get into an account. All administrators are told about it."),
        { kind: "facts", facts: [...alerts] },
        link(site, "Open the security center", path),
      ],
    }),
};
