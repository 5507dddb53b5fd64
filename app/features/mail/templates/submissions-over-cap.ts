import { shortDay } from "~/lib/due";
import type { Template } from "../model";
import { composeMail } from "./compose";

/** Tells the provider that the daily limit of submissions was reached. */
export const submissionsOverCap: Template<"submissions-over-cap"> = ({ day, cap, path }, { site }) =>
  composeMail({
    subject: `More than ${cap.toLocaleString("en-US")} submissions on ${shortDay(day)}`,
    site,
    blocks: [
      {
        kind: "paragraph",
        text: `The daily limit of ${cap.toLocaleString("en-US")} submissions was reached on ${shortDay(day)}. Submissions above the limit are held for review, without a notice of each one.`,
      },
      { kind: "link", label: "Review held submissions", href: site.origin + path },
    ],
  });
