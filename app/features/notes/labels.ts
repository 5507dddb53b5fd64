export const NOTE_ADDED = { title: "Note Added", message: "The note is saved." } as const;
export const NOTE_UPDATED = { title: "Note Updated", message: "The note is saved." } as const;
export const NOTE_DELETED = { title: "Note Deleted", message: "The note is gone." } as const;

export const NOTE_NOT_ADDED = "Failed to add note";
export const NOTE_NOT_UPDATED = "Failed to update note";
export const NOTE_NOT_DELETED = "Failed to delete note";

export const NOTE_REQUIRED = "Note text is required";
export const NOTE_TOO_LONG = "A note can have at most 5,000 characters";
export const CONFIRM_NOTE_DELETION = "Are you sure you want to delete this note?";
export const NOTE_CHANGED = "This note changed while you were working";
