import * as z from "zod";
import { type Block, link, type MailBrand, paragraph, withoutLinks } from "../compose";
import { mailKind } from "../mail-kind";

// The link is the only way in, so they say who invites, to what, until when, and how to be left alone.

const Invitation = z.object({
  path: z.string(),
  /** The link of "Not me, remove this invitation". */
  removePath: z.string(),
  inviter: z.string(),
  expiresOn: z.string(),
  role: z.string(),
});

function linksOf({ path, removePath, expiresOn }: z.infer<typeof Invitation>, site: MailBrand): Block[] {
  return [
    link(site, "Accept invitation", path),
    paragraph(`The link works once, until ${expiresOn}. It is only for this address.`),
    paragraph("Not expecting this? Then remove the invitation. If you do nothing, it ends by itself."),
    { kind: "link", label: "Not me, remove this invitation", href: `${site.origin}${removePath}`, isQuiet: true },
  ];
}

export const invitationMails = {
  "account-invitation": mailKind({
    schema: Invitation,
    priority: 0,
    template: (data, { site }) => {
      const inviter = withoutLinks(data.inviter);
      return {
        subject: `You're invited to ${site.name}`,
        blocks: [
          paragraph(`${inviter} has prepared an account at ${site.name} for you.`),
          paragraph("Choose a name and a password to open it."),
          {
            kind: "facts",
            facts: [
              { term: "Invited by", detail: inviter },
              { term: "Role", detail: data.role },
            ],
          },
          ...linksOf(data, site),
        ],
      };
    },
  }),
  "organization-invitation": mailKind({
    schema: Invitation.extend({ organization: z.string(), isNew: z.boolean().default(true) }),
    priority: 0,
    template: (data, { site }) => {
      // Clients choose both names, and whom the mail goes to.
      const [inviter, organization] = [withoutLinks(data.inviter), withoutLinks(data.organization)];
      return {
        // Whoever signs up could otherwise head mails to strangers with words of theirs, in our name.
        subject: data.isNew ? `You're invited to ${site.name}` : `You're invited to join ${organization}`,
        blocks: [
          paragraph(`${inviter} invites you to join ${organization} in the client portal of ${site.name}.`),
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
      };
    },
  }),
};
