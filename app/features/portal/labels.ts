export const ORGANIZATION_CREATED = { title: "Success", message: "Organization created successfully" };
export const ORGANIZATION_REQUESTED = {
  title: "Thank you",
  message: "We look at your organization first. You get an email as soon as it is open.",
};
export const INVITATION_SENT = { title: "Success", message: "The invitation is on its way to you again." };

export const ERROR_TITLE = "Error";
export const ORGANIZATION_NOT_CREATED = "Failed to create organization";
export const INVITE_ONLY = "New organizations are set up by us. Call or write, and we add you.";
export const TOO_MANY_ORGANIZATIONS = "You have created several organizations today. Call or write, and we help.";
export const OWN_INVITATION_GONE =
  "This invitation is not open any more. Ask the person who invited you for a new one.";
export const OWN_INVITATION_SENT_TOO_OFTEN =
  "It was sent several times already. Look in your mail, or try again tomorrow.";
