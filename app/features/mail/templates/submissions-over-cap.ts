import type { Template } from "../model";
import { composeMail } from "./compose";

/** Tells the provider's own people that the contact form is busier than they had thought possible. */
export const submissionsOverCap: Template<"submissions-over-cap"> = ({ day, cap, path }, { site }) =>
  composeMail({
    subject: `More than ${cap.toLocaleString("en-US")} contact requests on ${day}`,
    site,
    blocks: [
      {
        kind: "paragraph",
        text: `The daily limit of ${cap.toLocaleString("en-US")} contact requests was reached on ${day}. Requests that come after it are kept and held for review; nobody is told about them one by one.`,
      },
      { kind: "link", label: "Look at what is held", href: site.origin + path },
    ],
  });
