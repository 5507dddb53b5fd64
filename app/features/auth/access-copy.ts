import type { Ability } from "~/access/policy";

/** Holds what people read in the portal where their role in the organization is not enough. */
export const ACCESS_RESTRICTED = "Access Restricted";
export const RESTRICTION = "Only organization admins can open this page.";
export const RESTRICTIONS: Partial<Record<Ability, string>> = {
  "member.list": "Only organization admins can manage team members.",
  "member.invite": "Only organization admins can manage team members.",
  "member.change": "Only organization admins can manage team members.",
  "member.export": "Only organization admins can manage team members.",
  "organization.require_mfa": "Only the organization's owner can open this page.",
  "organization.transfer": "Only the organization's owner can open this page.",
  "organization.audit": "Only the organization's owner can open this page.",
  "organization.edit": "Only organization admins can change organization settings.",
};

export const NO_ORGANIZATION = {
  title: "No organization selected",
  text: "This page belongs to an organization. Choose or create one first.",
};

/** Says that an organization has suspended the person, and who can change that. */
export const suspended = (organization: string) => ({
  title: `Your access to ${organization} is suspended.`,
  text: "Ask its owner or an admin to reactivate you.",
});
