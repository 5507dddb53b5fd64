export const ARCHIVE_ASKED = {
  title: "Archive Requested",
  message: "It is being made. We mail you when it is ready: you can leave this page.",
} as const;

export const ARCHIVE_NOT_ASKED = "The archive was not requested";
export const ARCHIVE_DENIED = "You may not do this any more.";
export const ARCHIVE_LIMITED = { title: "Too Many Downloads", message: "Please try again later." } as const;
