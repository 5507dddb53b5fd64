export const EMAIL_TAKEN = "A user with this email already exists.";
export const INVITE_FAILED = "Failed to invite user. Please try again.";
export const CREATE_FAILED = "Failed to create user. Please try again.";
export const INVITED_TOO_OFTEN = "This address got too many invitations today. Try again tomorrow.";

export const userInvited = (email: string) => ({
  title: "User Invited Successfully",
  message: `${email} has been invited and will receive an email to set their password.`,
});

export const userCreated = (email: string) => ({
  title: "User Created Successfully",
  message: `${email} has been created. Make sure to share the login credentials securely.`,
});
