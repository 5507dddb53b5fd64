import type { PlatformRole } from "~/access/model";
import { CLIENT_SIGN_IN_PATH, NEW_BACKUP_CODES_PATH, PASSWORD_RESET_PATH, PORTAL_HOME_PATH } from "~/lib/addresses";
import { plural } from "~/lib/text";
import type {
  AccessChange,
  AccountMailData,
  FactorChange,
  MailBrand,
  MailData,
  MembershipChange,
  Template,
} from "../model";
import { type Block, composeMail, withoutLinks } from "./compose";

const QUESTIONS = "If you have questions about this, contact us.";

const ROLES: Record<PlatformRole, string> = { admin: "Admin", moderator: "Moderator", user: "User" };

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

type Words = {
  subject: string;
  text: string;
  hasAccess: boolean;
  /** Tells whether questions go to us; by default they go to the owner and the admins of the organization. */
  askUs?: true;
};

const WORDS: Record<MembershipChange, (organization: string) => Words> = {
  approved: (organization) => ({
    subject: `${organization} is open`,
    text: "We have looked at your organization. You can use it now, and invite your colleagues.",
    hasAccess: true,
    askUs: true,
  }),
  suspended: (organization) => ({
    subject: `Your access to ${organization} was suspended`,
    text: "You can't open its tickets and pages until an admin of the organization reactivates you. Your account stays.",
    hasAccess: false,
  }),
  reactivated: (organization) => ({
    subject: `You have access to ${organization} again`,
    text: "You can open its tickets and pages as before.",
    hasAccess: true,
  }),
  removed: (organization) => ({
    subject: `You were removed from ${organization}`,
    text: "You can't open its tickets and pages any more. Your account stays.",
    hasAccess: false,
  }),
  made_admin: (organization) => ({
    subject: `You are an admin of ${organization} now`,
    text: "You can invite and manage members, and change the organization's settings.",
    hasAccess: true,
  }),
  made_member: (organization) => ({
    subject: `You are a member of ${organization} now`,
    text: "You can create tickets and follow them. Admins manage members and settings.",
    hasAccess: true,
  }),
  made_owner: (organization) => ({
    subject: `You own ${organization} now`,
    text: "Ownership was transferred to you. Besides what admins can do, you decide about two-step sign-in for everybody, read the organization's history and can pass ownership on.",
    hasAccess: true,
  }),
  no_longer_owner: (organization) => ({
    subject: `You no longer own ${organization}`,
    text: "Ownership was transferred to another member. You are an admin of the organization now.",
    hasAccess: true,
  }),
};

const ASK_YOUR_ADMINS: Block = { kind: "paragraph", text: "Questions? Ask the owner or an admin of the organization." };

export const membershipChanged: Template<"membership-changed"> = ({ organization, change }, { site }) => {
  const { subject, text, hasAccess, askUs } = WORDS[change](withoutLinks(organization));
  const link: Block = { kind: "link", label: "Open the client portal", href: `${site.origin}${PORTAL_HOME_PATH}` };
  return composeMail({
    subject,
    site,
    blocks: [
      { kind: "paragraph", text: `${subject}.` },
      { kind: "paragraph", text },
      ...(hasAccess ? [link] : []),
      ...(askUs ? [] : [ASK_YOUR_ADMINS]),
    ],
  });
};

/**
 * They carry links, so they greet nobody by a typed name, quote nothing and say what happens to those who ignore them.
 */

const paragraph = (text: string): Block => ({ kind: "paragraph", text });
const link = (site: MailBrand, label: string, path: string): Block => ({
  kind: "link",
  label,
  href: `${site.origin}${path}`,
});

const IGNORE = "If you didn't ask for this, you can ignore this mail: nothing happens without the link.";

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

/** The link is the only way in, so they say who invites, to what, until when, and how to be left alone. */

type InvitationKind = "account-invitation" | "organization-invitation";

function linksOf({ path, removePath, expiresOn }: MailData[InvitationKind], site: MailBrand): Block[] {
  return [
    { kind: "link", label: "Accept invitation", href: `${site.origin}${path}` },
    { kind: "paragraph", text: `The link works once, until ${expiresOn}. It is only for this address.` },
    {
      kind: "paragraph",
      text: "Not expecting this? Then remove the invitation. If you do nothing, it ends by itself.",
    },
    { kind: "link", label: "Not me, remove this invitation", href: `${site.origin}${removePath}`, isQuiet: true },
  ];
}

export const invitationMails: { [Kind in InvitationKind]: Template<Kind> } = {
  "account-invitation": (data, { site }) => {
    const inviter = withoutLinks(data.inviter);
    return composeMail({
      subject: `You're invited to ${site.name}`,
      site,
      blocks: [
        { kind: "paragraph", text: `${inviter} has prepared an account at ${site.name} for you.` },
        { kind: "paragraph", text: "Choose a name and a password to open it." },
        {
          kind: "facts",
          facts: [
            { term: "Invited by", detail: inviter },
            { term: "Role", detail: data.role },
          ],
        },
        ...linksOf(data, site),
      ],
    });
  },
  "organization-invitation": (data, { site }) => {
    // Clients choose both names, and whom the mail goes to.
    const [inviter, organization] = [withoutLinks(data.inviter), withoutLinks(data.organization)];
    return composeMail({
      // Whoever signs up could otherwise head mails to strangers with words of theirs, in our name.
      subject: data.isNew ? `You're invited to ${site.name}` : `You're invited to join ${organization}`,
      site,
      blocks: [
        {
          kind: "paragraph",
          text: `${inviter} invites you to join ${organization} in the client portal of ${site.name}.`,
        },
        {
          kind: "facts",
          facts: [
            { term: "Organization", detail: organization },
            { term: "Invited by", detail: inviter },
            { term: "Role", detail: data.role },
          ],
        },
        ...linksOf(data, site),
      ],
    });
  },
};
