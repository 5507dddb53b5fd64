export const SUBJECT_REQUIRED = "Subject is required";
export const SUBJECT_TOO_LONG = "Subject can have at most 200 characters";
export const DESCRIPTION_REQUIRED = "Description is required";
export const DESCRIPTION_TOO_LONG = "Description can have at most 20,000 characters";
export const UNKNOWN_PRIORITY = "Choose one of the four priorities";
export const UNKNOWN_CATEGORY = "Choose a category from the list";
export const CHOOSE_PERSON = "Choose a person of the organization";
export const IMPACT_REQUIRED = "Tell us what has stopped working, and for how many people.";
export const IMPACT_TOO_LONG = "At most 500 characters";

export const TICKET_CREATED = { title: "Success", message: "Ticket created successfully" } as const;
export const TICKET_FAILED = "Failed to create ticket";
