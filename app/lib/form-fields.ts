type TextField = {
  /** Holds the label of the field when a form is shown outside its page. */
  label: string;
  /** Tells whether the field is a text area: its line breaks are part of the text. */
  isMultiline?: true;
};

/**
 * Describes text fields by their name, which means the same in every form. A text area that is missing here loses its
 * line breaks, unless the form reads it `raw`. A form that was posted after its session had ended is stored only if one
 * of these fields is filled in; its other fields are then not shown again but sent with it.
 */
const TEXT_FIELDS: Readonly<Record<string, TextField>> = {
  title: { label: "Title" },
  subject: { label: "Subject" },
  message: { label: "Message", isMultiline: true },
  description: { label: "Description", isMultiline: true },
  domains: { label: "Email domains", isMultiline: true },
  address: { label: "Address", isMultiline: true },
  story: { label: "Story", isMultiline: true },
  site_name: { label: "Site name" },
  site_description: { label: "Site description", isMultiline: true },
  holidays: { label: "Days off", isMultiline: true },
  note: { label: "Note", isMultiline: true },
  body: { label: "Text", isMultiline: true },
  impact: { label: "What has stopped working" },
  what_was_done: { label: "What was done", isMultiline: true },
  why_late: { label: "Why it was late", isMultiline: true },
  reason: { label: "Reason", isMultiline: true },
  name: { label: "Name" },
  full_name: { label: "Full name" },
  email: { label: "Email" },
  emails: { label: "Email addresses", isMultiline: true },
};

/** Returns the description of a text field; null for other fields. */
export const textField = (name: string): TextField | null =>
  (Object.hasOwn(TEXT_FIELDS, name) && TEXT_FIELDS[name]) || null;

/** Tells whether a field keeps its line breaks. */
export const isMultiline = (name: string): boolean => textField(name)?.isMultiline === true;
