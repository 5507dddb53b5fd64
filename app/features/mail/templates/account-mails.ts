import { CLIENT_SIGN_IN_PATH, NEW_BACKUP_CODES_PATH, PASSWORD_RESET_PATH } from "~/lib/addresses";
import { plural } from "~/lib/text";
import type { AccountMailData, FactorChange } from "../account-mail-data";
import type { MailBrand, Template } from "../model";
import type { accessMails } from "./access-mails";
import { type Block, composeMail } from "./compose";

/*
 * Mails about somebody's account. They carry links that open something, so they greet nobody by a typed name, quote
 * nothing and say plainly what happens to those who ignore them.
 */

const paragraph = (text: string): Block => ({ kind: "paragraph", text });
const link = (site: MailBrand, label: string, path: string): Block => ({
  kind: "link",
  label,
  href: `${site.origin}${path}`,
});

const IGNORE = "If you didn't ask for this, you can ignore this mail: nothing happens without the link.";

/** Returns the paragraphs for somebody whose account another person may be using. */
const wasntYou = (site: MailBrand, path: string): Block[] => [
  paragraph("Wasn't you? The link below signs everyone out of your account and lets you choose a new password."),
  link(site, "This wasn't me", path),
];

const FACTOR_CHANGES: Record<FactorChange, { subject: string; text: string }> = {
  enabled: {
    subject: "Two-step sign-in is on",
    text: "Signing in to your account now takes a code from your authenticator app as well as your password.",
  },
  reconfigured: {
    subject: "Your authenticator was changed",
    text: "A new authenticator app was set up for your account. Codes of the old one and old backup codes no longer work.",
  },
  disabled: {
    subject: "Two-step sign-in is off",
    text: "Two-step sign-in was switched off for your account. Its codes and your backup codes no longer work.",
  },
  codes_renewed: {
    subject: "You have new backup codes",
    text: "New backup codes were made for your account. The old ones no longer work.",
  },
};

export const accountMails: {
  [Kind in Exclude<keyof AccountMailData, keyof typeof accessMails>]: Template<Kind>;
} = {
  "email-confirmation": ({ path }, { site }) =>
    composeMail({
      subject: `Confirm your email address for ${site.name}`,
      site,
      blocks: [
        paragraph("Please confirm your address. If it wasn't you, do nothing."),
        link(site, "Confirm this address", path),
        paragraph("The link works once, for 24 hours."),
      ],
    }),
  "account-exists": (_, { site }) =>
    composeMail({
      subject: "You already have an account",
      site,
      blocks: [
        paragraph(`Someone tried to create a ${site.name} account with this address.`),
        paragraph("You already have an account. Sign in as usual, or choose a new password if you have lost yours."),
        link(site, "Sign in", CLIENT_SIGN_IN_PATH),
        link(site, "Choose a new password", PASSWORD_RESET_PATH),
        paragraph("If you didn't try this, you can ignore this mail: nothing was changed."),
      ],
    }),
  "password-reset": ({ path }, { site }) =>
    composeMail({
      subject: `Choose a new password for ${site.name}`,
      site,
      blocks: [
        paragraph("You can choose a new password for your account with this link."),
        link(site, "Choose a new password", path),
        paragraph("It works once, for 60 minutes. Your second sign-in step stays as it is."),
        paragraph(IGNORE),
      ],
    }),
  "password-changed": ({ notMePath }, { site }) =>
    composeMail({
      subject: "Your password was changed",
      site,
      blocks: [
        paragraph(`The password of your account at ${site.name} was changed, and you are signed out everywhere else.`),
        ...wasntYou(site, notMePath),
      ],
    }),
  "password-locked": (_, { site }) =>
    composeMail({
      subject: "Your password no longer signs you in",
      site,
      blocks: [
        paragraph(
          "A hundred wrong passwords were tried for your account in a row. To keep it safe, signing in with the current password is switched off until you choose a new one.",
        ),
        link(site, "Choose a new password", PASSWORD_RESET_PATH),
      ],
    }),
  "email-change-confirmation": ({ path }, { site }) =>
    composeMail({
      subject: `Confirm your new email address for ${site.name}`,
      site,
      blocks: [
        paragraph(`Someone asked to use this address for a ${site.name} account.`),
        link(site, "Confirm this address", path),
        paragraph("The link works once, for 24 hours. Until then the old address stays in use."),
        paragraph(IGNORE),
      ],
    }),
  "email-change-notice": ({ newEmail, undoPath }, { site }) =>
    composeMail({
      subject: "The email address of your account is being changed",
      site,
      blocks: [
        paragraph(`Someone asked for a new email address for your ${site.name} account.`),
        { kind: "facts", facts: [{ term: "New address", detail: newEmail }] },
        paragraph(
          "Wasn't you? For 72 hours you can undo the change with this link, even after the new address was confirmed. It also signs everyone out of your account.",
        ),
        link(site, "Undo the change", undoPath),
      ],
    }),
  "factor-changed": ({ change, notMePath }, { site }) =>
    composeMail({
      subject: FACTOR_CHANGES[change].subject,
      site,
      blocks: [paragraph(FACTOR_CHANGES[change].text), ...wasntYou(site, notMePath)],
    }),
  "codes-refused": (_, { site }) =>
    composeMail({
      subject: "Someone knows your password",
      site,
      blocks: [
        paragraph(
          "Someone typed the right password for your account, and then a wrong code three times. They did not get in.",
        ),
        paragraph("If that was you, there is nothing to do. If it wasn't, choose a new password now."),
        link(site, "Choose a new password", PASSWORD_RESET_PATH),
      ],
    }),
  "backup-code-used": ({ codesLeft, notMePath }, { site }) =>
    composeMail({
      subject: "A backup code was used",
      site,
      blocks: [
        paragraph(`A backup code was used to sign in to your account. ${plural(codesLeft, "code")} left.`),
        ...(codesLeft <= 3 ? [link(site, "Make new backup codes", NEW_BACKUP_CODES_PATH)] : []),
        ...wasntYou(site, notMePath),
      ],
    }),
  "new-device": ({ device, network, notMePath }, { site }) =>
    composeMail({
      subject: "New sign-in to your account",
      site,
      blocks: [
        paragraph(`Your ${site.name} account was opened in a browser it has not been used in before.`),
        {
          kind: "facts",
          facts: [
            { term: "Browser", detail: device },
            { term: "Network", detail: network },
          ],
        },
        ...wasntYou(site, notMePath),
      ],
    }),
};
