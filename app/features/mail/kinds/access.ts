import * as z from "zod";
import { PLATFORM_ROLES, type PlatformRole } from "~/access/model";
import { CLIENT_SIGN_IN_PATH, PASSWORD_RESET_PATH, PORTAL_HOME_PATH } from "~/lib/addresses";
import { link, paragraph, withoutLinks } from "../compose";
import { keysOf, mailKind } from "../mail-kind";

const QUESTIONS = "If you have questions about this, contact us.";

const ROLES: Record<PlatformRole, string> = { admin: "Admin", moderator: "Moderator", user: "User" };

type AccessChange = { subject: string; text: string; next?: { label: string; path: string } };

const ACCESS_CHANGES = {
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
} satisfies Record<string, AccessChange>;

type MembershipChange = {
  subject: string;
  text: string;
  hasAccess: boolean;
  /** Questions go to us; by default to the owner and the admins of the organization. */
  askUs?: true;
};

const MEMBERSHIP_CHANGES = {
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
} satisfies Record<string, (organization: string) => MembershipChange>;

export const accessMails = {
  "role-changed": mailKind({
    schema: z.object({ role: z.enum(PLATFORM_ROLES) }),
    priority: 0,
    template: ({ role }, { site }) => ({
      subject: "Your role was changed",
      blocks: [
        paragraph(`An administrator changed what you may do at ${site.name}. You were signed out everywhere.`),
        { kind: "facts", facts: [{ term: "Your role now", detail: ROLES[role] }] },
        paragraph(QUESTIONS),
      ],
    }),
  }),
  "address-added": mailKind({
    schema: z.object({ address: z.string() }),
    priority: 0,
    template: ({ address }, { site }) => ({
      subject: "A mail was taken as yours",
      blocks: [
        paragraph(
          `A mail came from ${address}. Our team takes it as yours: it is on a ticket in your name, and further mail from there will be, too.`,
        ),
        paragraph("Answers go on to this address only. Nothing is sent to the other one."),
        paragraph(
          `Was it not you? ${site.phone ? `Call ${site.phone.display} or write` : "Write"} to ${site.email}, and we remove the address.`,
        ),
      ],
    }),
  }),
  "access-changed": mailKind({
    schema: z.object({ change: z.enum(keysOf(ACCESS_CHANGES)) }),
    priority: 0,
    template: ({ change }, { site }) => {
      const { subject, text, next }: AccessChange = ACCESS_CHANGES[change];
      return {
        subject,
        blocks: [paragraph(text), ...(next ? [link(site, next.label, next.path)] : []), paragraph(QUESTIONS)],
      };
    },
  }),
  "membership-changed": mailKind({
    schema: z.object({
      organization: z.string(),
      change: z.enum(keysOf(MEMBERSHIP_CHANGES)),
    }),
    priority: 0,
    template: ({ organization, change }, { site }) => {
      const { subject, text, hasAccess, askUs }: MembershipChange = MEMBERSHIP_CHANGES[change](
        withoutLinks(organization),
      );
      return {
        subject,
        blocks: [
          paragraph(`${subject}.`),
          paragraph(text),
          ...(hasAccess ? [link(site, "Open the client portal", PORTAL_HOME_PATH)] : []),
          ...(askUs ? [] : [paragraph("Questions? Ask the owner or an admin of the organization.")]),
        ],
      };
    },
  }),
};
