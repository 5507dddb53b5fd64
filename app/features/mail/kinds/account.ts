import * as z from "zod";
import { CLIENT_SIGN_IN_PATH, NEW_BACKUP_CODES_PATH, PASSWORD_RESET_PATH } from "~/lib/addresses";
import { plural } from "~/lib/text";
import { hours, minutes } from "~/lib/time";
import { type Block, link, type MailBrand, paragraph, withoutLinks } from "../compose";
import { Facts, keysOf, mailKind, Text } from "../mail-kind";

// They carry links, so they greet nobody by a typed name, quote nothing and say what happens to those who ignore them.

const Empty = z.record(z.string(), z.never());
const WithLink = z.object({ path: z.string() });

const IGNORE = "If you didn't ask for this, you can ignore this mail: nothing happens without the link.";

/** `notMePath`: the link that ends all sessions. */
const wasntYou = (site: MailBrand, path: string): Block[] => [
  paragraph("Wasn't you? The link below signs everyone out of your account and lets you choose a new password."),
  link(site, "This wasn't me", path),
];

const FACTOR_CHANGES = {
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

const CLOSURES = {
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

const ARCHIVES = {
  ready: {
    subject: (of: string) => `The archive of ${of} is ready`,
    text: "Only you can download it, for 7 days. We ask for your password first.",
  },
  failed: {
    subject: (of: string) => `The archive of ${of} could not be made`,
    text: "Something went wrong on our side. Please try again on the page.",
  },
};

export const accountMails = {
  "email-confirmation": mailKind({
    schema: WithLink,
    priority: 0,
    linkLifetime: hours(24),
    template: ({ path }, { site }) => ({
      subject: `Confirm your email address for ${site.name}`,
      blocks: [
        paragraph("Please confirm your address. If it wasn't you, do nothing."),
        link(site, "Confirm this address", path),
        paragraph("The link works once, for 24 hours."),
      ],
    }),
  }),
  "account-exists": mailKind({
    schema: Empty,
    priority: 0,
    template: (_, { site }) => ({
      subject: "You already have an account",
      blocks: [
        paragraph(`Someone tried to create a ${site.name} account with this address.`),
        paragraph("You already have an account. Sign in as usual, or choose a new password if you have lost yours."),
        link(site, "Sign in", CLIENT_SIGN_IN_PATH),
        link(site, "Choose a new password", PASSWORD_RESET_PATH),
        paragraph("If you didn't try this, you can ignore this mail: nothing was changed."),
      ],
    }),
  }),
  "password-reset": mailKind({
    schema: WithLink,
    priority: 0,
    linkLifetime: minutes(60),
    template: ({ path }, { site }) => ({
      subject: `Choose a new password for ${site.name}`,
      blocks: [
        paragraph("You can choose a new password for your account with this link."),
        link(site, "Choose a new password", path),
        paragraph("It works once, for 60 minutes. Your second sign-in step stays as it is."),
        paragraph(IGNORE),
      ],
    }),
  }),
  "password-changed": mailKind({
    schema: z.object({ notMePath: z.string() }),
    priority: 0,
    template: ({ notMePath }, { site }) => ({
      subject: "Your password was changed",
      blocks: [
        paragraph(`The password of your account at ${site.name} was changed, and you are signed out everywhere else.`),
        ...wasntYou(site, notMePath),
      ],
    }),
  }),
  "password-locked": mailKind({
    schema: Empty,
    priority: 0,
    template: (_, { site }) => ({
      subject: "Your password no longer signs you in",
      blocks: [
        paragraph(
          "A hundred wrong passwords were tried for your account in a row. To keep it safe, signing in with the current password is switched off until you choose a new one.",
        ),
        link(site, "Choose a new password", PASSWORD_RESET_PATH),
      ],
    }),
  }),
  "email-change-confirmation": mailKind({
    schema: WithLink,
    priority: 0,
    linkLifetime: hours(24),
    template: ({ path }, { site }) => ({
      subject: `Confirm your new email address for ${site.name}`,
      blocks: [
        paragraph(`Someone asked to use this address for a ${site.name} account.`),
        link(site, "Confirm this address", path),
        paragraph("The link works once, for 24 hours. Until then the old address stays in use."),
        paragraph(IGNORE),
      ],
    }),
  }),
  "email-change-notice": mailKind({
    schema: z.object({ newEmail: z.string(), undoPath: z.string() }),
    priority: 0,
    template: ({ newEmail, undoPath }, { site }) => ({
      subject: "The email address of your account is being changed",
      blocks: [
        paragraph(`Someone asked for a new email address for your ${site.name} account.`),
        { kind: "facts", facts: [{ term: "New address", detail: newEmail }] },
        paragraph(
          "Wasn't you? For 72 hours you can undo the change with this link, even after the new address was confirmed. It also signs everyone out of your account.",
        ),
        link(site, "Undo the change", undoPath),
      ],
    }),
  }),
  "new-device": mailKind({
    schema: z.object({ device: z.string(), network: z.string(), notMePath: z.string() }),
    priority: 0,
    template: ({ device, network, notMePath }, { site }) => ({
      subject: "New sign-in to your account",
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
  }),
  "account-closure": mailKind({
    schema: z.object({ state: z.enum(keysOf(CLOSURES)), reason: Text }),
    priority: 0,
    template: ({ state, reason }) => ({
      subject: CLOSURES[state].subject,
      blocks: [paragraph(CLOSURES[state].text), ...(reason ? [{ kind: "quote" as const, text: reason }] : [])],
    }),
  }),
  "account-closure-notice": mailKind({
    schema: z.object({ name: z.string(), email: z.string(), path: z.string() }),
    priority: 1,
    template: ({ name, email, path }, { site }) => ({
      subject: `${withoutLinks(name)} asks to close their account`,
      blocks: [
        paragraph("Close the account or say why not. All administrators are told about it."),
        { kind: "facts", facts: [{ term: "Account", detail: `${withoutLinks(name)}, ${email}` }] },
        link(site, "Look at the request", path),
      ],
    }),
  }),
  "factor-changed": mailKind({
    schema: z.object({ change: z.enum(keysOf(FACTOR_CHANGES)), notMePath: z.string() }),
    priority: 0,
    template: ({ change, notMePath }, { site }) => ({
      subject: FACTOR_CHANGES[change].subject,
      blocks: [paragraph(FACTOR_CHANGES[change].text), ...wasntYou(site, notMePath)],
    }),
  }),
  "codes-refused": mailKind({
    schema: Empty,
    priority: 0,
    template: (_, { site }) => ({
      subject: "Someone knows your password",
      blocks: [
        paragraph(
          "Someone typed the right password for your account, and then a wrong code three times. They did not get in.",
        ),
        paragraph("If that was you, there is nothing to do. If it wasn't, choose a new password now."),
        link(site, "Choose a new password", PASSWORD_RESET_PATH),
      ],
    }),
  }),
  "backup-code-used": mailKind({
    schema: z.object({ codesLeft: z.number(), notMePath: z.string() }),
    priority: 0,
    template: ({ codesLeft, notMePath }, { site }) => ({
      subject: "A backup code was used",
      blocks: [
        paragraph(`A backup code was used to sign in to your account. ${plural(codesLeft, "code")} left.`),
        ...(codesLeft <= 3 ? [link(site, "Make new backup codes", NEW_BACKUP_CODES_PATH)] : []),
        ...wasntYou(site, notMePath),
      ],
    }),
  }),
  "factor-reset": mailKind({
    schema: WithLink,
    priority: 0,
    linkLifetime: hours(24),
    template: ({ path }, { site }) => ({
      subject: "Your two-step sign-in was reset",
      blocks: [
        paragraph(
          "An administrator reset your two-step sign-in. Your authenticator app and your backup codes no longer work, and you were signed out everywhere.",
        ),
        paragraph("To sign in again, open this link, then type your password and set up your authenticator app."),
        link(site, "Set up two-step sign-in", path),
        paragraph("The link works once, for 24 hours. Didn't you ask for this? Tell us, and don't open it."),
      ],
    }),
  }),
  "factor-reset-notice": mailKind({
    schema: z.object({ name: z.string(), email: z.string(), by: z.string(), reason: z.string() }),
    priority: 0,
    template: ({ name, email, by, reason }) => ({
      subject: `Two-step sign-in of ${withoutLinks(name)} was reset`,
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
  }),
  "security-alert": mailKind({
    schema: z.object({ alerts: Facts, path: z.string() }),
    priority: 0,
    template: ({ alerts, path }, { site }) => ({
      subject: alerts.length === 1 ? "High security alert" : `${alerts.length} high security alerts`,
      blocks: [
        paragraph("This looks like an attempt to get into an account. All administrators are told about it."),
        { kind: "facts", facts: [...alerts] },
        link(site, "Open the security center", path),
      ],
    }),
  }),
  "mail-test": mailKind({
    /** `path` null: it goes to ourselves. */
    schema: z.object({ token: z.string(), path: z.string().nullable() }),
    priority: 0,
    template: ({ token, path }, { site }) => ({
      // The words by which it is known when it comes back: `receiveTestMail`.
      subject: `Mail test ${token}`,
      blocks:
        path === null
          ? [paragraph("This mail tests whether mail arrives here. Nothing has to be done.")]
          : [
              paragraph("This mail tests whether our mail arrives. It has: please say so on the page behind the link."),
              link(site, "It has arrived", path),
              paragraph(`Or type this code there: ${token}`),
            ],
    }),
  }),
  archive: mailKind({
    schema: z.object({ state: z.enum(keysOf(ARCHIVES)), organization: Text, path: z.string() }),
    priority: 0,
    template: ({ state, organization, path }, { site }) => {
      const { subject, text } = ARCHIVES[state];
      const about = subject(organization === null ? "everything" : withoutLinks(organization));
      return { subject: about, blocks: [paragraph(`${about}.`), paragraph(text), link(site, "Open the page", path)] };
    },
  }),
};
