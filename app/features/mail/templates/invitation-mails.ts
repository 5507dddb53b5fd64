import type { MailBrand, MailData, Template } from "../model";
import { type Block, composeMail, withoutLinks } from "./compose";

/*
 * Mails that invite somebody to an account of their own, or to an organization. The link is the only way in, so they
 * say who invites, to what, until when, and how to be left alone.
 */

type InvitationKind = "account-invitation" | "organization-invitation";

/** Returns the end of every invitation: the links, how long they work, and how to decline. */
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
