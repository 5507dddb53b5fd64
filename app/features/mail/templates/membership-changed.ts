import { PORTAL_HOME_PATH } from "~/lib/addresses";
import type { MembershipChange } from "../account-mail-data";
import type { Template } from "../model";
import { type Block, composeMail, withoutLinks } from "./compose";

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

/** Tells a person what has become of their membership of an organization. */
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
